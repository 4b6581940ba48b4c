// The parts of a sparse file that hold data (lseek(2), SEEK_DATA and SEEK_HOLE).
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <vector>

namespace telltale::canary {

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // exclusive
};

struct Extents {
  std::vector<Range> data;  // ascending, apart from each other
  std::uint64_t holes = 0;  // bytes of the file in no range
};

// Ranges that hold all data of the file, each with `margin` bytes of the hole on either side, since
// a pattern of bytes can begin or end in zeros. Holes are asked for only where the file has fewer
// blocks than bytes; a file system that cannot tell gives one range. Moves the file's position.
[[nodiscard]] Extents data_extents(int fd, const struct stat& status, std::uint64_t margin);

}  // namespace telltale::canary
