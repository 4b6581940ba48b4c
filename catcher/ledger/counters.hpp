// The nftables rules of the ledger, and what they have counted.
//
// A table of the netdev family at the ingress of the world's interface: it sees what the capture
// sees, before routing, redirection and defragmentation, and counts per destination in sets that
// fill themselves (nft(8), "dynamic"). TCP is counted by SYN: connection tracking costs a fifth of
// a connection loop and fills up, this 2 %. A set that is full stops growing in silence; the plain
// counter beside each goes on, and the difference shows it (overflowed()).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catcher/ledger/table_dump.hpp"
#include "evidence/result.hpp"

namespace telltale::catcher {

inline constexpr int kLedgerDestinations = 16'384;  // of one protocol family; about 200 bytes each

struct LedgerCount {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
};

// Protocol ("tcp", "udp", "icmp", "protocol 253"), numeric address, port (0: has none).
using LedgerKey = std::tuple<std::string, std::string, std::uint16_t>;

struct LedgerReading {
  std::map<LedgerKey, LedgerCount> counts;
  std::vector<std::string> overflowed;  // sets that hold less than their counter: "udp4 (IPv4 UDP)"
};

class LedgerCounters {
 public:
  // Call it in the world's network namespace. Fault::instrument, with the kernel's answer.
  [[nodiscard]] static Result<LedgerCounters> make(const std::string& interface);

  // From any thread, one at a time. Some milliseconds; traffic may go on meanwhile. The rules
  // outlive this: they go with their namespace.
  [[nodiscard]] Result<LedgerReading> read() const;

 private:
  explicit LedgerCounters(TableDump dump) : dump_(std::move(dump)) {}

  TableDump dump_;
};

}  // namespace telltale::catcher
