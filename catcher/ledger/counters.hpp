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
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "evidence/result.hpp"

struct nft_ctx;

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
  LedgerCounters(LedgerCounters&&) noexcept;
  LedgerCounters& operator=(LedgerCounters&&) noexcept;
  ~LedgerCounters();  // the rules stay: they go with their namespace

  // From any thread, one at a time. Some milliseconds; traffic may go on meanwhile.
  [[nodiscard]] Result<LedgerReading> read() const;

 private:
  struct Free {
    void operator()(nft_ctx* context) const;
  };
  explicit LedgerCounters(nft_ctx* context) : context_(context) {}
  [[nodiscard]] Result<std::string> run(const std::string& command) const;
  [[nodiscard]] Result<std::map<std::string, std::uint64_t>> totals() const;

  std::unique_ptr<nft_ctx, Free> context_;
};

}  // namespace telltale::catcher
