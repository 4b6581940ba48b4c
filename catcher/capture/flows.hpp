// What a capture comes to: one entry a flow, in bounded memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "catcher/capture/frame.hpp"

namespace telltale::catcher {

using PacketTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

struct FlowTally {
  PacketTime first, last;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;   // as on the wire, Ethernet header included
  std::uint64_t opened = 0;  // TCP: SYN without ACK, repeated ones included
};

// "" (TCP that began here, UDP, ICMP), "no handshake" (TCP that did not), "multicast", "broadcast",
// "not IP".
[[nodiscard]] std::string flow_kind(const FlowKey& flow, const FlowTally& tally);
// That of the packets that come back.
[[nodiscard]] FlowKey reversed(FlowKey flow);

class FlowTable {
 public:
  // Above `kept` flows the source port is no longer told apart; above as many destinations again a
  // new one is only counted (lost()). About 200 bytes an entry.
  explicit FlowTable(std::size_t kept = 15'000) : kept_(kept) {}
  FlowTable(const FlowTable&) = delete;
  FlowTable& operator=(const FlowTable&) = delete;

  void add(const Frame& frame, PacketTime at, std::uint64_t bytes);

  using Map = std::unordered_map<FlowKey, FlowTally, FlowHash>;
  [[nodiscard]] const Map& flows() const { return flows_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }                  // packets of no entry
  [[nodiscard]] std::uint64_t housekeeping() const { return housekeeping_; }  // packets, left out

 private:
  // nullptr: lost.
  [[nodiscard]] Map::value_type* entry_of(FlowKey key, PacketTime at);

  std::size_t kept_;
  Map flows_;
  FlowKey last_key_;                 // of the last packet: the next one is often of the same flow,
  Map::value_type* last_ = nullptr;  // which may have no entry of its own
  std::uint64_t lost_ = 0;
  std::uint64_t housekeeping_ = 0;
};

}  // namespace telltale::catcher
