// Finds literals in bytes that come in pieces: one that lies across two pieces, or over many, is
// found as if there were no pieces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "canary/matcher.hpp"

namespace telltale::canary {

struct StreamMatch {
  std::uint64_t offset = 0;  // of its first byte, in the whole stream
  std::size_t literal = 0;
};

class Stream {
 public:
  // `offset` is where in the file or decoded stream the first piece begins. The matcher must
  // outlive the stream.
  explicit Stream(const Matcher& matcher, std::uint64_t offset = 0)
      : matcher_(matcher), offset_(offset) {}

  // Appends what is complete with this piece. Each occurrence is reported once; not in order of
  // offset across calls.
  void feed(std::string_view piece, std::vector<StreamMatch>& found);

  // Where the next piece begins.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  void feed_seam(std::string_view piece, std::vector<StreamMatch>& found);

  const Matcher& matcher_;
  std::uint64_t offset_;
  std::string tail_;  // the last bytes before offset_, one less than the longest literal
  std::vector<Match> matches_;
};

}  // namespace telltale::canary
