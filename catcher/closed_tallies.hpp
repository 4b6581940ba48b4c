// What the closed sockets come to: how many went where, and whose they were. Bounded; not
// thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "catcher/capture/frame.hpp"
#include "catcher/ledger/counters.hpp"
#include "catcher/scene.hpp"
#include "catcher/sighting.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "catcher/witness/process_cache.hpp"

namespace telltale::catcher {

class ClosedTallies {
 public:
  // Whether a socket went anywhere outside: a listener and UDP without a peer have no address, and
  // what went by the loopback, or from an address to itself, stayed inside. A refused connection
  // has lost its port (tcp_disconnect) and kept its address.
  [[nodiscard]] static bool reaches_out(const RawSocket& socket);

  // One that does not: the port of its peer is kept, if it had one.
  void add_inside(const RawSocket& socket, int launch);
  void add(const RawSocket& socket, const std::optional<WitnessedProgram>& program,
           const Moment& moment, evidence::Instant at);

  // A TCP socket to there was closed, or one that was refused by that address.
  [[nodiscard]] bool has_tcp(const std::string& host, std::uint16_t port) const;
  [[nodiscard]] std::set<std::uint16_t> inside(int launch) const;
  // One for each destination, program and phase; the phase is that of the closing.
  [[nodiscard]] std::vector<Sighting> sightings() const;
  // TCP by destination; port 0: refused.
  [[nodiscard]] std::map<LedgerKey, std::uint64_t> tcp_counts() const;
  // Of the first 20,000.
  [[nodiscard]] std::optional<WitnessedProgram> owner_of(const FlowKey& flow) const;
  [[nodiscard]] std::uint64_t closed() const { return closed_; }
  [[nodiscard]] std::uint64_t closed_tcp() const { return closed_tcp_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }  // of no tally

 private:
  // Protocol, destination, port, owner, launch, phase.
  using Key = std::tuple<std::uint8_t, std::string, std::uint16_t, std::uint32_t, int, std::string>;
  struct Tally {
    evidence::Instant first, last;
    std::uint64_t count = 0;
  };

  [[nodiscard]] std::uint32_t intern(const std::optional<WitnessedProgram>& program);
  [[nodiscard]] Sighting to_sighting(const Key& key, const Tally& tally) const;

  std::map<Key, Tally> tallies_;
  std::vector<WitnessedProgram> owners_{WitnessedProgram{}};  // the first: nobody
  std::map<std::tuple<pid_t, std::uint64_t, std::string>, std::uint32_t> owner_index_;
  std::unordered_map<FlowKey, std::uint32_t, FlowHash> joined_;
  std::set<std::pair<int, std::uint16_t>> inside_;  // launch, port
  std::uint64_t closed_ = 0;
  std::uint64_t closed_tcp_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace telltale::catcher
