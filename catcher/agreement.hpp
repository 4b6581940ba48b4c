// Whether the observers that count tell the same story. Each is blind in its own way, so a flow
// that one has and another has not is explained, or nothing is evidence.
//
// Compared by protocol and destination: what the ledger counted with what the tap captured (TCP:
// the SYNs; else packets), exactly; TCP sockets with SYNs: every destination has both, and no more
// sockets than SYNs (a socket may connect again; of a refused one only the address is known).
// Explained, and left out: TCP that did not begin
// here and frames that are not IP (the tap's alone), UDP sockets (nothing sent), the loopback.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catcher/capture/flows.hpp"
#include "catcher/ledger/counters.hpp"
#include "evidence/control.hpp"

namespace telltale::catcher {

// Taken after all three have stopped, in any order, with nothing left that sends.
struct FlowAccounts {
  std::map<LedgerKey, LedgerCount> ledger;    // Ledger::counts()
  FlowTable::Map tap;                         // Tap::flows()
  std::map<LedgerKey, std::uint64_t> closed;  // ClosedSockets::tcp_counts()
};

// One line each: "tcp to 192.0.2.1:443: ledger 3 SYNs, tap 2".
[[nodiscard]] std::vector<std::string> disagreements(const FlowAccounts& accounts);

// The control by that name; not held: the first disagreements are named.
inline constexpr auto kAgreementControl = "ledger, tap and closed sockets agree";
[[nodiscard]] evidence::Control agreement_control(const FlowAccounts& accounts);

}  // namespace telltale::catcher
