// Finds literals in a range of an open file.
//
// Theory of operation. pread(2) into one buffer that is used again: measured here, page faults make
// mmap(2) seven to ten times slower, and buffers of 256 KiB to 2 MiB are best. A range reads on
// past its end by one byte less than the longest literal and reports what begins inside it, so
// ranges of one file can be read by different threads, in any order. A read goes on until the
// kernel says that the file has ended: st_size is 0 in /proc, and old in a file that grows.
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "canary/extents.hpp"
#include "canary/hit.hpp"
#include "canary/matcher.hpp"

namespace telltale::canary {

inline constexpr std::size_t kBufferSize = std::size_t{512} << 10;  // bytes
inline constexpr std::size_t kHeadSize = 512;                       // bytes

struct ScannedRange {
  std::uint64_t read = 0;  // bytes of the range that were read
  int error = 0;  // errno of the read that failed; 0: it came to the end of the range or file
  Occurrences found;
  std::string head;  // of a range that begins at 0: the first kHeadSize bytes
};

class Scanner {
 public:
  // `stopped` is asked once a buffer; the scan ends early when it says yes.
  Scanner(const Matcher& matcher, std::function<bool()> stopped)
      : matcher_(matcher), stopped_(std::move(stopped)), buffer_(kBufferSize, '\0') {}

  // A file that cannot seek is read from where it stands; its range must begin at 0.
  [[nodiscard]] ScannedRange scan(int fd, Range range);

 private:
  const Matcher& matcher_;
  std::function<bool()> stopped_;
  std::string buffer_;
};

}  // namespace telltale::canary
