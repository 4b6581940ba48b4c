#include "canary/extents.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace telltale::canary {

namespace {

void append(std::vector<Range>& ranges, Range range) {
  if (!ranges.empty() && range.begin <= ranges.back().end)
    ranges.back().end = std::max(ranges.back().end, range.end);
  else
    ranges.push_back(range);
}

// The file may change meanwhile: whatever the answers are, the ranges ascend and end at `size`.
std::vector<Range> ask(int fd, std::uint64_t size, std::uint64_t margin) {
  std::vector<Range> ranges;
  for (std::uint64_t at = 0; at < size;) {
    const auto data = lseek(fd, static_cast<off_t>(at), SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;  // nothing but a hole up to the end
    const auto hole = data < 0 ? -1 : lseek(fd, data, SEEK_HOLE);
    const auto begin = data < 0 ? at : std::max(at, static_cast<std::uint64_t>(data));
    const auto end = hole <= data ? size : std::min(size, static_cast<std::uint64_t>(hole));
    if (begin < end) append(ranges, {begin - std::min(begin, margin), end});
    at = std::max(end, at + 1);
  }
  return ranges;
}

}  // namespace

Extents data_extents(int fd, const struct stat& status, std::uint64_t margin) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const auto stored = static_cast<std::uint64_t>(status.st_blocks) * 512;
  Extents extents;
  if (stored >= size) {
    if (size > 0) extents.data.push_back({0, size});
    return extents;
  }
  extents.data = ask(fd, size, margin);
  extents.holes = size;
  for (const auto& range : extents.data) extents.holes -= range.end - range.begin;
  return extents;
}

}  // namespace telltale::canary
