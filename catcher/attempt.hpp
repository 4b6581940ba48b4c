// Sightings merged into attempts: one line a destination and program, with who saw it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "catcher/sighting.hpp"
#include "evidence/finding.hpp"

namespace telltale::catcher {

struct Attempt {
  std::string host;
  std::uint16_t port = 0;
  std::string protocol;    // "proxy", "tcp", "udp"
  std::string executable;  // "unknown program" when it was gone
  std::set<std::string> observers;
  std::set<int> launches;
  std::set<std::string> phases;
  std::set<pid_t> pids;
  std::set<std::string> requests;  // "GET http://x/", at most kExamples
  std::set<std::string> header_names;
  std::uint64_t count = 0;  // acts: requests or connections
  evidence::Instant first, last;

  [[nodiscard]] std::string destination() const;  // "host:port"
};

inline constexpr std::size_t kExamples = 5;

struct Merged {
  std::vector<Attempt> attempts;  // by first time
  // Connections to the proxy's port that another observer saw and the proxy has no record of: the
  // proxy's sight is then not proved.
  std::vector<Sighting> unrecorded_by_proxy;
};

[[nodiscard]] Merged merge(std::vector<Sighting> sightings);

// "egress-1", ... in order.
[[nodiscard]] evidence::Finding to_finding(const Attempt& attempt, std::size_t number);

}  // namespace telltale::catcher
