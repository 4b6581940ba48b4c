#include "catcher/shared_knowledge.hpp"

#include <map>
#include <tuple>
#include <utility>

namespace telltale::catcher {

namespace {

// Launch, protocol, local port of the caller, port of the destination.
using Flow = std::tuple<int, std::string, std::uint16_t, std::uint16_t>;

Flow flow_of(const Sighting& sighting) {
  return {sighting.launch, sighting.protocol, sighting.client_port, sighting.port};
}

bool has_name(const Sighting& sighting) {
  return sighting.protocol != "dns" && !sighting.address.empty() &&
         sighting.address != sighting.host;
}

// A process that is ending shows no path any more, only its name, in brackets.
bool names_program(const Sighting& sighting) {
  return !sighting.executable.empty() && !sighting.executable.starts_with('[');
}

}  // namespace

void share_what_is_known(std::vector<Sighting>& sightings) {
  std::map<std::string, std::string> names;
  std::map<Flow, const Sighting*> owners;
  for (const auto& sighting : sightings) {
    if (has_name(sighting)) names.emplace(sighting.address, sighting.host);
    if (sighting.executable.empty() || sighting.client_port == 0) continue;
    const auto* known = owners.try_emplace(flow_of(sighting), &sighting).first->second;
    if (!names_program(*known) && names_program(sighting)) owners[flow_of(sighting)] = &sighting;
  }
  for (auto& sighting : sightings) {
    const auto name = names.find(sighting.host);
    if (name != names.end() && sighting.protocol != "dns") {
      sighting.address = std::exchange(sighting.host, name->second);
    }
    const auto owner = owners.find(flow_of(sighting));
    if (names_program(sighting) || owner == owners.end() || owner->second == &sighting) continue;
    sighting.pid = owner->second->pid;
    sighting.executable = owner->second->executable;
    sighting.party = owner->second->party;
  }
}

}  // namespace telltale::catcher
