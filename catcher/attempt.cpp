#include "catcher/attempt.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace telltale::catcher {

namespace {

using Connection = std::pair<int, std::uint16_t>;                              // launch, port
using Key = std::tuple<std::string, std::uint16_t, std::string, std::string>;  // see key_of

Key key_of(const Sighting& sighting) {
  return {sighting.host, sighting.port, sighting.protocol, sighting.executable};
}

void add(Attempt& attempt, const Sighting& sighting) {
  attempt.observers.insert(sighting.observer);
  attempt.launches.insert(sighting.launch);
  attempt.phases.insert(sighting.phase);
  if (sighting.pid != 0) attempt.pids.insert(sighting.pid);
  if (attempt.requests.size() < kExamples && !sighting.target.empty())
    attempt.requests.insert(sighting.method.empty() ? sighting.target
                                                    : sighting.method + " " + sighting.target);
  attempt.header_names.insert(sighting.header_names.begin(), sighting.header_names.end());
  attempt.first = std::min(attempt.first, sighting.at);
  attempt.last = std::max({attempt.last, sighting.at, sighting.last});
  attempt.count += sighting.count;
}

Attempt begin(const Sighting& sighting) {
  Attempt attempt;
  attempt.host = sighting.host;
  attempt.port = sighting.port;
  attempt.protocol = sighting.protocol;
  attempt.executable = sighting.executable.empty() ? "unknown program" : sighting.executable;
  attempt.first = attempt.last = sighting.at;
  return attempt;
}

}  // namespace

std::string Attempt::destination() const {
  if (host.empty()) return "the proxy itself";
  const bool six = host.find(':') != std::string::npos;
  return six ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Merged merge(std::vector<Sighting> sightings) {
  std::stable_sort(sightings.begin(), sightings.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  // The connection that carried a request to the proxy is the request's own act, not one more.
  std::map<Connection, Key> requests;
  for (const auto& sighting : sightings)
    if (sighting.protocol == "proxy")
      requests.emplace(Connection{sighting.launch, sighting.client_port}, key_of(sighting));

  Merged merged;
  std::map<Key, Attempt> by_key;
  for (const auto& sighting : sightings) {
    if (sighting.through_proxy) continue;
    const auto key = key_of(sighting);
    add(by_key.try_emplace(key, begin(sighting)).first->second, sighting);
  }
  for (const auto& sighting : sightings) {
    if (!sighting.through_proxy) continue;
    const auto request = requests.find({sighting.launch, sighting.client_port});
    if (request == requests.end())
      merged.unrecorded_by_proxy.push_back(sighting);
    else
      by_key.at(request->second).observers.insert(sighting.observer);
  }
  for (auto& [key, attempt] : by_key) merged.attempts.push_back(std::move(attempt));
  std::stable_sort(merged.attempts.begin(), merged.attempts.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return merged;
}

evidence::Finding to_finding(const Attempt& attempt, std::size_t number) {
  evidence::Finding finding;
  finding.id = fmt::format("egress-{}", number);
  finding.what =
      attempt.protocol == "proxy"
          ? fmt::format("{} asked the proxy for {}", attempt.executable, attempt.destination())
          : fmt::format("{} connected to {} over {}", attempt.executable, attempt.destination(),
                        attempt.protocol);
  finding.where = attempt.destination();
  finding.seen_by.assign(attempt.observers.begin(), attempt.observers.end());
  finding.first = attempt.first;
  finding.last = attempt.last;
  finding.details = {{"times", fmt::format("{}", attempt.count)},
                     {"launches", fmt::format("{}", fmt::join(attempt.launches, ", "))},
                     {"phases", fmt::format("{}", fmt::join(attempt.phases, ", "))},
                     {"processes", fmt::format("{}", fmt::join(attempt.pids, ", "))}};
  if (!attempt.requests.empty())
    finding.details.emplace_back("requests", fmt::format("{}", fmt::join(attempt.requests, "; ")));
  if (!attempt.header_names.empty())
    finding.details.emplace_back("headers",
                                 fmt::format("{}", fmt::join(attempt.header_names, ", ")));
  return finding;
}

}  // namespace telltale::catcher
