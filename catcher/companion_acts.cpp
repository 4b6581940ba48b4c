#include "catcher/companion_acts.hpp"

namespace telltale::catcher {

CompanionActs::CompanionActs(const std::vector<Sighting>& sightings) {
  for (const auto& sighting : sightings)
    if (!sighting.party.empty()) destinations_.emplace(sighting.host, sighting.port);
}

bool CompanionActs::has(const Sighting& sighting) const {
  return !sighting.party.empty() ||
         (sighting.executable.empty() && destinations_.count({sighting.host, sighting.port}) != 0);
}

}  // namespace telltale::catcher
