#include "canary/hit.hpp"

#include <algorithm>
#include <tuple>

namespace telltale::canary {

namespace {
constexpr std::size_t kOffsetsKept = 16;
}

std::string Hit::where() const {
  switch (place) {
    case Place::content:
      return path;
    case Place::decoded:
      return path + " > " + inside;
    case Place::name:
      return path + " (its name)";
    case Place::link_target:
      return path + " (what the link points at)";
    case Place::attribute:
      return path + " (attribute " + inside + ")";
  }
  return path;
}

bool operator<(const Hit& a, const Hit& b) {
  return std::tie(a.path, a.place, a.inside, a.pattern) <
         std::tie(b.path, b.place, b.inside, b.pattern);
}

void Occurrences::add(std::size_t pattern, std::uint64_t offset) {
  auto& found = by_pattern_[pattern];
  ++found.count;
  found.keep(offset);
}

void Occurrences::merge(const Occurrences& other) {
  for (const auto& [pattern, found] : other.by_pattern_) {
    auto& mine = by_pattern_[pattern];
    mine.count += found.count;
    for (const auto offset : found.offsets) mine.keep(offset);
  }
}

void Occurrences::Found::keep(std::uint64_t offset) {
  if (offsets.size() == kOffsetsKept && offset > offsets.back()) return;
  offsets.insert(std::upper_bound(offsets.begin(), offsets.end(), offset), offset);
  if (offsets.size() > kOffsetsKept) offsets.pop_back();
}

void Occurrences::append_hits(const std::string& path, Place place, const std::string& inside,
                              std::vector<Hit>& hits) const {
  for (const auto& [pattern, found] : by_pattern_)
    hits.push_back({path, place, inside, pattern, found.count, found.offsets});
}

}  // namespace telltale::canary
