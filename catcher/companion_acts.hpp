// Which sightings of a run are acts of companions (companions.hpp), and not of the subject.
//
// What one observer saw with its process another saw without: of such a sighting the destination
// decides, so that what a companion sends is never taken for the subject's. What the subject sent
// to the same place counts by the observers that know its process.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catcher/sighting.hpp"

namespace telltale::catcher {

class CompanionActs {
 public:
  explicit CompanionActs(const std::vector<Sighting>& sightings);
  [[nodiscard]] bool has(const Sighting& sighting) const;

 private:
  std::set<std::pair<std::string, std::uint16_t>> destinations_;
};

}  // namespace telltale::catcher
