// What one observer saw once. Sightings of one outgoing act are merged into an attempt
// (attempt.hpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/instant.hpp"

namespace telltale::catcher {

struct Sighting {
  std::string observer;
  evidence::Instant at;
  int launch = 0;     // from 1
  std::string phase;  // "set-up", "start", "drive", "idle", "stop"

  // "proxy" (a request that asked the proxy), "tcp" or "udp" (a connection).
  std::string protocol;
  std::string host;  // destination: a name where one is known, else a numeric address
  std::uint16_t port = 0;
  bool through_proxy =
      false;  // a connection to the proxy's own port: content is the proxy's to give

  // Of a request; empty for a bare connection.
  std::string method;
  std::string target;                     // as written: absolute form, or host:port of CONNECT
  std::vector<std::string> header_names;  // names only: values may hold secrets

  std::uint16_t client_port = 0;  // local port of the caller; joins sightings of one connection
  pid_t pid = 0;                  // 0: its owner was gone or not ours before it could be asked
  std::string executable;         // path; empty with pid 0
};

}  // namespace telltale::catcher
