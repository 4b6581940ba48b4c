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

// Ranges that hold all data of the file, each with `margin` bytes of the hole before it, since what
// is searched for can begin with zeros. What ends in a hole begins in data, and a scan reads on
// behind its range. Holes are asked for only where the file has fewer
// blocks than bytes; a file system that cannot tell gives one range. Moves the file's position.
[[nodiscard]] Extents data_extents(int fd, const struct stat& status, std::uint64_t margin);

}  // namespace telltale::canary
