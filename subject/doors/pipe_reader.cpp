#include "subject/doors/pipe_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace telltale::subject {

namespace {
constexpr int kPieces = 64;
constexpr std::size_t kPiece = 64 * 1024;  // the usual capacity of a pipe
}  // namespace

PipeReader::PipeReader(FileDescriptor reader, std::size_t limit)
    : reader_(std::move(reader)), limit_(limit) {}

Result<PipeReader> PipeReader::make(FileDescriptor& writer, std::size_t limit) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(Fault::instrument, std::string("no pipe: ") + strerror(errno),
                "raise the limit of open files (ulimit -n)");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);  // this end only
  writer = FileDescriptor(ends[1]);
  return PipeReader(FileDescriptor(ends[0]), limit);
}

void PipeReader::take() {
  std::array<char, kPiece> piece;  // NOLINT: filled by read(2)
  for (int count = 0; count < kPieces && reader_.valid(); ++count) {
    const auto got = read(reader_.get(), piece.data(), piece.size());
    if (got < 0) {
      if (errno == EAGAIN || errno == EINTR) return;
      reader_.reset();
    } else if (got == 0) {
      reader_.reset();
    } else {
      const auto size = static_cast<std::size_t>(got);
      const auto part = std::min(size, limit_ - text_.size());
      text_.append(piece.data(), part);
      cut_ = cut_ || part < size;
    }
  }
}

}  // namespace telltale::subject
