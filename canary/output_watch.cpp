#include "canary/output_watch.hpp"

#include <algorithm>
#include <iterator>

namespace telltale::canary {

namespace {

std::unique_ptr<Matcher> matcher_of(const std::vector<Pattern>& patterns) {
  std::vector<std::string> literals;
  std::transform(patterns.begin(), patterns.end(), std::back_inserter(literals),
                 [](const Pattern& pattern) { return pattern.bytes; });
  return make_gram_matcher(std::move(literals));
}

}  // namespace

OutputWatch::OutputWatch(const std::vector<Pattern>& patterns)
    : matcher_(matcher_of(patterns)), stream_(*matcher_) {}

void OutputWatch::feed(std::string_view piece) {
  const std::lock_guard lock(mutex_);
  found_.clear();
  stream_.feed(piece, found_);
  for (const auto& match : found_) {
    auto& hit = by_pattern_.try_emplace(match.literal, OutputHit{match.literal, match.offset, 0})
                    .first->second;
    ++hit.count;
  }
}

std::vector<OutputHit> OutputWatch::hits() const {
  const std::lock_guard lock(mutex_);
  std::vector<OutputHit> all;
  for (const auto& [pattern, hit] : by_pattern_) all.push_back(hit);
  return all;
}

std::uint64_t OutputWatch::bytes() const {
  const std::lock_guard lock(mutex_);
  return stream_.offset();
}

}  // namespace telltale::canary
