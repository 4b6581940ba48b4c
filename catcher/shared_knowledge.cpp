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

}  // namespace

void share_what_is_known(std::vector<Sighting>& sightings) {
  std::map<std::string, std::string> names;
  std::map<Flow, const Sighting*> owners;
  for (const auto& sighting : sightings) {
    if (has_name(sighting)) names.emplace(sighting.address, sighting.host);
    if (!sighting.executable.empty() && sighting.client_port != 0)
      owners.emplace(flow_of(sighting), &sighting);
  }
  for (auto& sighting : sightings) {
    const auto name = names.find(sighting.host);
    if (name != names.end() && sighting.protocol != "dns") {
      sighting.address = std::exchange(sighting.host, name->second);
    }
    const auto owner = owners.find(flow_of(sighting));
    if (!sighting.executable.empty() || owner == owners.end()) continue;
    sighting.pid = owner->second->pid;
    sighting.executable = owner->second->executable;
  }
}

}  // namespace telltale::catcher
