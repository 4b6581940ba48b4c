#include "canary/scanner.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "canary/stream.hpp"

namespace telltale::canary {

namespace {

ssize_t read_at(int fd, std::uint64_t offset, char* into, std::size_t size) {
  ssize_t got = 0;
  do {
    got = pread(fd, into, size, static_cast<off_t>(offset));
    if (got < 0 && errno == ESPIPE) got = read(fd, into, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}

}  // namespace

ScannedRange Scanner::scan(int fd, Range range) {
  ScannedRange scanned;
  Stream stream(matcher_, range.begin);
  std::vector<StreamMatch> matches;
  const auto end = sum(range.end, matcher_.longest() - 1);
  while (stream.offset() < end && !stopped_()) {
    const auto wanted = std::min<std::uint64_t>(buffer_.size(), end - stream.offset());
    const auto got = read_at(fd, stream.offset(), buffer_.data(), wanted);
    if (got < 0) scanned.error = errno;
    if (got <= 0) break;
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(got));
    if (stream.offset() == 0) scanned.head = bytes.substr(0, kHeadSize);
    matches.clear();
    stream.feed(bytes, matches);
    for (const auto& match : matches)
      if (match.offset < range.end) scanned.found.add(match.literal, match.offset);
  }
  scanned.read = std::min(stream.offset(), range.end) - range.begin;
  return scanned;
}

}  // namespace telltale::canary
