#include "catcher/stopping_place.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "catcher/attempt.hpp"

namespace telltale::catcher {

namespace {

using Destinations = std::set<std::pair<std::string, std::uint16_t>>;

Destinations of_companions(const std::vector<Sighting>& sightings) {
  Destinations all;
  for (const auto& sighting : sightings)
    if (!sighting.party.empty()) all.emplace(sighting.host, sighting.port);
  return all;
}

// Those that answer know whether they did.
bool tells_of_answers(const Sighting& sighting) {
  return sighting.observer == "answerer" || sighting.observer == "proxy" ||
         sighting.protocol == "dns";
}

}  // namespace

std::string stopping_place(const std::vector<Sighting>& sightings, int launch) {
  const auto asked_by_companions = of_companions(sightings);
  // Of a caller that was gone before it was looked up the destination decides.
  const auto is_a_companions = [&](const Sighting& sighting) {
    return !sighting.party.empty() ||
           (sighting.executable.empty() &&
            asked_by_companions.count({sighting.host, sighting.port}) != 0);
  };
  const Sighting* last = nullptr;
  for (const auto& sighting : sightings)
    if (sighting.launch == launch && tells_of_answers(sighting) && !sighting.host.empty() &&
        !is_a_companions(sighting) && (last == nullptr || sighting.at >= last->at))
      last = &sighting;
  if (last == nullptr || !last->answered_by.empty()) return {};
  Attempt attempt;
  attempt.host = last->host;
  attempt.port = last->port;
  attempt.protocol = last->protocol;
  return attempt.destination();
}

}  // namespace telltale::catcher
