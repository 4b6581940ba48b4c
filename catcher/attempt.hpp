// Sightings merged into attempts: one line a destination and program, with who saw it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catcher/sighting.hpp"
#include "evidence/finding.hpp"

namespace telltale::catcher {

struct Attempt {
  std::string host;
  std::uint16_t port = 0;
  std::string protocol;    // "proxy", "tcp", "udp", "dns", "unix"; "raw", "packet", "vsock", ...
  std::string executable;  // "unknown program" when it was gone; "companion db: /usr/bin/x"
  std::string party;       // Sighting::party
  std::set<std::string> observers;
  std::set<int> launches;
  std::set<std::string> phases;
  std::set<pid_t> pids;
  std::set<std::string> requests;  // "GET http://x/", at most kExamples
  std::set<std::string> header_names;
  std::set<std::string> said;         // "TLS hello, SNI example.com", at most kExamples
  std::set<std::string> answered_by;  // inside: "the file"; at most kExamples
  std::set<std::string> addresses;    // numeric, where host is a name; at most kExamples
  // Of its connections inside TLS: one was read; where not, "SNI example.com", how it refused, and
  // what else went wrong; at most kExamples of each.
  bool tls_read = false;
  std::set<std::string> tls_unseen, tls_refusals, tls_failures;
  std::uint64_t payload = 0;                   // bytes that were read of what it sent
  std::map<std::string, std::uint64_t> bytes;  // on the wire, by the observer that counted
  // Acts: requests or connections, by the observer that saw the most of them.
  std::uint64_t count = 0;
  std::map<std::string, std::uint64_t> counts;  // by observer
  evidence::Instant first, last;

  [[nodiscard]] std::string destination() const;  // "host:port"; of a question the name alone
};

inline constexpr std::size_t kExamples = 5;

struct Merged {
  std::vector<Attempt> attempts;  // by first time
  // Connections to the proxy's port that another observer saw and the proxy has no record of: the
  // proxy's sight is then not proved.
  std::vector<Sighting> unrecorded_by_proxy;
  // Asked for, and nothing left: a UDP socket that was given a peer and sent nothing (getaddrinfo
  // sorts addresses so), the path of a unix socket, an unusual socket that goes nowhere.
  std::vector<Sighting> remarks;
};

// Packets to port 53 are the questions that the resolver read in them. What an observer that knows
// no program saw belongs to the programs that others saw reach out to the same destination.
// An address that one observer knows by its name has that name for all of them, and a program that
// one of them found is that of the same connection seen by the others. What no witness of system
// calls saw is perhaps of the programs of that launch that use io_uring, or, when it is no stream,
// of those that made a datagram socket: said so, with their names.
[[nodiscard]] Merged merge(std::vector<Sighting> sightings);  // merging.cpp

// "egress-1", ... in order.
[[nodiscard]] evidence::Finding to_finding(const Attempt& attempt, std::size_t number);

}  // namespace telltale::catcher
