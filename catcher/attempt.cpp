#include "catcher/attempt.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace telltale::catcher {

namespace {

using Connection = std::pair<int, std::uint16_t>;                              // launch, port
using Key = std::tuple<std::string, std::uint16_t, std::string, std::string>;  // see key_of

Key key_of(const Sighting& sighting) {
  return {sighting.host, sighting.port, sighting.protocol, sighting.executable};
}

void keep_example(std::set<std::string>& examples, const std::string& example) {
  if (!example.empty() && examples.size() < kExamples) examples.insert(example);
}

void add(Attempt& attempt, const Sighting& sighting) {
  attempt.observers.insert(sighting.observer);
  attempt.launches.insert(sighting.launch);
  attempt.phases.insert(sighting.phase);
  if (sighting.pid != 0) attempt.pids.insert(sighting.pid);
  if (!sighting.target.empty())
    keep_example(attempt.requests, sighting.method.empty()
                                       ? sighting.target
                                       : sighting.method + " " + sighting.target);
  keep_example(attempt.said, sighting.said);
  if (sighting.address != sighting.host) keep_example(attempt.addresses, sighting.address);
  attempt.payload += sighting.payload;
  attempt.header_names.insert(sighting.header_names.begin(), sighting.header_names.end());
  attempt.first = std::min(attempt.first, sighting.at);
  attempt.last = std::max({attempt.last, sighting.at, sighting.last});
  auto& counted = attempt.counts[sighting.observer];
  counted += sighting.count;
  attempt.count = std::max(attempt.count, counted);
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

// Launch, protocol, local port of the caller, port of the destination.
using Flow = std::tuple<int, std::string, std::uint16_t, std::uint16_t>;

Flow flow_of(const Sighting& sighting) {
  return {sighting.launch, sighting.protocol, sighting.client_port, sighting.port};
}

bool has_name(const Sighting& sighting) {
  return sighting.protocol != "dns" && !sighting.address.empty() &&
         sighting.address != sighting.host;
}

// One observer knows the name of an address, another the program behind a port.
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

std::string what_was_done(const Attempt& attempt) {
  const auto destination = attempt.destination();
  if (attempt.protocol == "proxy")
    return fmt::format("{} asked the proxy for {}", attempt.executable, destination);
  if (attempt.said.empty())
    return fmt::format("{} connected to {} over {}", attempt.executable, destination,
                       attempt.protocol);
  return fmt::format("{} {} by {}: {}", attempt.protocol, destination, attempt.executable,
                     fmt::join(attempt.said, "; "));
}

}  // namespace

std::string Attempt::destination() const {
  if (host.empty()) return "the proxy itself";
  if (protocol == "dns") return host;
  const bool six = host.find(':') != std::string::npos;
  return six ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Merged merge(std::vector<Sighting> sightings) {
  std::stable_sort(sightings.begin(), sightings.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  share_what_is_known(sightings);
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
  finding.what = what_was_done(attempt);
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
  if (!attempt.addresses.empty())
    finding.details.emplace_back("addresses",
                                 fmt::format("{}", fmt::join(attempt.addresses, ", ")));
  if (attempt.payload != 0)
    finding.details.emplace_back("payload read", fmt::format("{} bytes", attempt.payload));
  return finding;
}

}  // namespace telltale::catcher
