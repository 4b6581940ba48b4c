// Theory of operation. zlib decodes one member at a time. After a member that did not end well the
// search for the next magic starts one byte behind the start of that member, not where zlib gave
// up: a writer that crashed leaves half a member, the next writer appends a whole one, and zlib
// reads on into the second before it notices.
#include "canary/unpack/gzip.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <array>
#include <stdexcept>

namespace telltale::canary {

namespace {

constexpr std::size_t kBuffer = std::size_t{128} << 10;
// Starts that turned out to be none; more are no rotated log, and each can cost a read of the rest.
constexpr unsigned kMostFalseStarts = 1000;

// RFC 1952 section 2.3: magic, method 8 (deflate), the three reserved flag bits 0.
bool starts_member(std::string_view bytes) {
  return bytes.size() >= 4 && bytes.substr(0, 3) == "\x1f\x8b\x08" &&
         (static_cast<unsigned char>(bytes[3]) & 0xE0U) == 0;
}

bool is_member(const Blob& blob, std::uint64_t at) {
  std::array<char, 4> start{};
  const auto got = blob.read_at(at, start.data(), start.size());
  return got == 4 && starts_member({start.data(), start.size()});
}

// The first place from `from` on where a member may start; the size of the blob when there is none.
std::uint64_t find_member(const Blob& blob, std::uint64_t from) {
  if (is_member(blob, from)) return from;
  std::string window(kBuffer, '\0');
  for (auto at = from;;) {
    const auto got = blob.read_at(at, window.data(), window.size());
    if (got < 4) return blob.size();
    const std::string_view bytes(window.data(), static_cast<std::size_t>(got));
    for (auto i = bytes.find('\x1f'); i != std::string_view::npos; i = bytes.find('\x1f', i + 1))
      if (starts_member(bytes.substr(i))) return at + i;
    at += bytes.size() - 3;  // a start may lie across two windows
  }
}

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  enum class End { whole, cut_off, damaged, unreadable, stopped };
  End decode(const Blob& blob, std::uint64_t start, Output& output);

  [[nodiscard]] std::uint64_t consumed() const { return stream_.total_in; }
  [[nodiscard]] std::uint64_t produced() const { return stream_.total_out; }

 private:
  void seek(std::uint64_t start);
  // Z_OK when the input at hand is used up.
  int drain(Output& output, bool& stopped);

  z_stream stream_{};
  std::array<char, kBuffer> input_{};
  std::size_t filled_ = 0;       // bytes of input_
  std::uint64_t next_read_ = 0;  // where in the blob input_ ends
  std::array<char, kBuffer> decoded_{};
};

// Small members stand many to a buffer: what was read for the last one serves the next.
void Inflater::seek(std::uint64_t start) {
  const auto begin = next_read_ - filled_;
  if (start < begin || start > next_read_) {
    filled_ = 0;
    next_read_ = start;
  }
  const auto left = next_read_ - start;
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data()) + (filled_ - left);
  stream_.avail_in = static_cast<uInt>(left);
}

Inflater::End Inflater::decode(const Blob& blob, std::uint64_t start, Output& output) {
  inflateReset(&stream_);
  seek(start);
  while (true) {
    bool stopped = false;
    const int status = drain(output, stopped);
    if (stopped) return End::stopped;
    if (status == Z_STREAM_END) return End::whole;
    if (status != Z_OK) return End::damaged;

    const auto got = blob.read_at(next_read_, input_.data(), input_.size());
    if (got < 0) return End::unreadable;
    if (got == 0) return End::cut_off;
    filled_ = static_cast<std::size_t>(got);
    next_read_ += filled_;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got);
  }
}

int Inflater::drain(Output& output, bool& stopped) {
  while (true) {
    stream_.next_out = reinterpret_cast<Bytef*>(decoded_.data());
    stream_.avail_out = static_cast<uInt>(decoded_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    const auto made = decoded_.size() - stream_.avail_out;
    if (made > 0 && !output.write({decoded_.data(), made})) stopped = true;
    if (stopped) return Z_OK;
    if (status == Z_BUF_ERROR) return Z_OK;  // nothing left to do: more input is needed
    if (status != Z_OK) return status;
    if (stream_.avail_in == 0 && stream_.avail_out > 0) return Z_OK;
  }
}

std::string sentence(Inflater::End end, std::uint64_t start, const Inflater& inflater) {
  const auto* what = end == Inflater::End::cut_off   ? "is cut off"
                     : end == Inflater::End::damaged ? "is damaged"
                                                     : "could not be read to its end";
  return fmt::format("holds a gzip member at byte {} that {}: {} bytes could be decoded", start,
                     what, inflater.produced());
}

}  // namespace

bool Gzip::recognises(std::string_view head) const {
  return starts_member(head);
}

Unpacked Gzip::unpack(const Blob& blob, Output& output) const {
  Unpacked result;
  Inflater inflater;
  std::uint64_t in_members = 0;
  unsigned false_starts = 0;
  output.begin("");
  for (auto start = find_member(blob, 0); start < blob.size();) {
    const auto end = inflater.decode(blob, start, output);
    if (end == Inflater::End::stopped) break;
    if (end == Inflater::End::whole) {
      in_members += inflater.consumed();
      start = find_member(blob, start + inflater.consumed());
      continue;
    }
    // Three bytes of magic turn up by chance in compressed data; those decode to nothing.
    if (result.incomplete.empty() && (inflater.produced() > 0 || start == 0))
      result.incomplete = sentence(end, start, inflater);
    if (++false_starts == kMostFalseStarts) {
      result.incomplete =
          fmt::format("holds {} starts of gzip members that are none", false_starts);
      break;
    }
    start = find_member(blob, start + 1);
  }
  result.passed_over = blob.size() - std::min(blob.size(), in_members);
  return result;
}

}  // namespace telltale::canary
