#include "canary/stream.hpp"

#include <algorithm>

namespace telltale::canary {

void Stream::feed(std::string_view piece, std::vector<StreamMatch>& found) {
  feed_seam(piece, found);
  matches_.clear();
  matcher_.find(piece, matches_);
  for (const auto& match : matches_) found.push_back({offset_ + match.offset, match.literal});

  const auto kept = matcher_.longest() - 1;
  if (piece.size() >= kept) {
    tail_.assign(piece.substr(piece.size() - kept));
  } else {
    tail_.append(piece);
    if (tail_.size() > kept) tail_.erase(0, tail_.size() - kept);
  }
  offset_ += piece.size();
}

// What begins in the tail and ends in the piece. What lies wholly in the tail was found before,
// what lies wholly in the piece is found after.
void Stream::feed_seam(std::string_view piece, std::vector<StreamMatch>& found) {
  if (tail_.empty()) return;
  const auto before = tail_.size();
  tail_.append(piece.substr(0, matcher_.longest() - 1));
  matches_.clear();
  matcher_.find(tail_, matches_);
  for (const auto& match : matches_) {
    const auto end = match.offset + matcher_.length(match.literal);
    if (match.offset < before && end > before)
      found.push_back({offset_ - before + match.offset, match.literal});
  }
  tail_.resize(before);
}

}  // namespace telltale::canary
