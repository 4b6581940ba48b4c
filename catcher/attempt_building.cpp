#include "catcher/attempt_building.hpp"

#include <algorithm>

namespace telltale::catcher {

namespace {

void keep_example(std::set<std::string>& examples, const std::string& example) {
  if (!example.empty() && examples.size() < kExamples) examples.insert(example);
}

void add_tls(Attempt& attempt, const Sighting& sighting) {
  const auto& name = sighting.server_name;
  if (sighting.tls == TlsPayload::read) attempt.tls_read = true;
  if (sighting.tls == TlsPayload::unseen)
    keep_example(attempt.tls_unseen, name.empty() ? "without a server name" : "SNI " + name);
  keep_example(sighting.tls == TlsPayload::refused ? attempt.tls_refusals : attempt.tls_failures,
               sighting.tls_reason);
}

void add_answer(Attempt& attempt, const Sighting& sighting) {
  if (sighting.protocol != "dns") keep_example(attempt.answered_by, sighting.answered_by);
}

void count(Attempt& attempt, const Sighting& sighting) {
  auto& counted = attempt.counts[sighting.observer];
  counted += sighting.count;
  attempt.count = std::max(attempt.count, counted);
}

}  // namespace

bool leads_nowhere(const Sighting& sighting) {
  return sighting.kind == "unix socket" ||
         (sighting.kind == "socket" && sighting.protocol != "raw" &&
          sighting.protocol != "packet" && sighting.protocol != "vsock");
}

Attempt begin_attempt(const Sighting& sighting) {
  Attempt attempt;
  attempt.host = sighting.host;
  attempt.port = sighting.port;
  attempt.protocol = sighting.protocol;
  attempt.executable = sighting.executable.empty() ? kUnknownProgram : sighting.executable;
  attempt.party = sighting.party;
  attempt.first = attempt.last = sighting.at;
  return attempt;
}

void add_act(Attempt& attempt, const Sighting& sighting) {
  attempt.observers.insert(sighting.observer);
  attempt.launches.insert(sighting.launch);
  attempt.phases.insert(sighting.phase);
  if (sighting.pid != 0) attempt.pids.insert(sighting.pid);
  if (!sighting.target.empty())
    keep_example(attempt.requests, sighting.method.empty()
                                       ? sighting.target
                                       : sighting.method + " " + sighting.target);
  keep_example(attempt.said, sighting.said);
  add_tls(attempt, sighting);
  add_answer(attempt, sighting);
  if (sighting.address != sighting.host) keep_example(attempt.addresses, sighting.address);
  attempt.payload += sighting.payload;
  attempt.bytes[sighting.observer] += sighting.bytes;
  attempt.header_names.insert(sighting.header_names.begin(), sighting.header_names.end());
  attempt.first = std::min(attempt.first, sighting.at);
  attempt.last = std::max({attempt.last, sighting.at, sighting.last});
  count(attempt, sighting);
}

void add_sight(Attempt& attempt, const Sighting& sighting) {
  attempt.observers.insert(sighting.observer);
  attempt.last = std::max({attempt.last, sighting.at, sighting.last});
  attempt.bytes[sighting.observer] += sighting.bytes;
}

void add_content(Attempt& attempt, const Sighting& sighting) {
  keep_example(attempt.said, sighting.said);
  add_tls(attempt, sighting);
  add_answer(attempt, sighting);
  attempt.payload += sighting.payload;
  // Where each connection is known by its port, they are acts and no repeated packets.
  if (sighting.client_port == 0 || sighting.protocol != "tcp") return;
  count(attempt, sighting);
}

}  // namespace telltale::catcher
