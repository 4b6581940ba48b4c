#include "catcher/stopping_place.hpp"

#include "catcher/attempt.hpp"
#include "catcher/companion_acts.hpp"

namespace telltale::catcher {

namespace {

// Those that answer know whether they did.
bool tells_of_answers(const Sighting& sighting) {
  return sighting.observer == "answerer" || sighting.observer == "proxy" ||
         sighting.protocol == "dns";
}

}  // namespace

std::string stopping_place(const std::vector<Sighting>& sightings, int launch) {
  const CompanionActs companions(sightings);
  const Sighting* last = nullptr;
  for (const auto& sighting : sightings)
    if (sighting.launch == launch && tells_of_answers(sighting) && !sighting.host.empty() &&
        !companions.has(sighting) && (last == nullptr || sighting.at >= last->at))
      last = &sighting;
  if (last == nullptr || !last->answered_by.empty()) return {};
  Attempt attempt;
  attempt.host = last->host;
  attempt.port = last->port;
  attempt.protocol = last->protocol;
  return attempt.destination();
}

}  // namespace telltale::catcher
