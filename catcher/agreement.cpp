#include "catcher/agreement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "catcher/socket_diagnostics.hpp"

namespace telltale::catcher {

namespace {

constexpr std::size_t kNamedDisagreements = 5;

std::string destination_text(const LedgerKey& key) {
  const auto& [protocol, host, port] = key;
  return fmt::format("{} to {}", protocol, port == 0 ? host : text(Endpoint{host, port}));
}

bool is_tcp(const LedgerKey& key) {
  return std::get<0>(key) == "tcp";
}

// The capture in the ledger's terms.
std::map<LedgerKey, std::uint64_t> captured_counts(const FlowTable::Map& tap) {
  std::map<LedgerKey, std::uint64_t> counts;
  for (const auto& [flow, tally] : tap) {
    if (flow.version == 0) continue;
    const LedgerKey key{flow.protocol_name(), flow.host(), flow.destination_port};
    const auto count = is_tcp(key) ? tally.opened : tally.packets;
    if (count > 0) counts[key] += count;
  }
  return counts;
}

template <class Map>
std::uint64_t count_in(const Map& map, const LedgerKey& key) {
  const auto at = map.find(key);
  return at == map.end() ? 0 : at->second;
}

// One refused socket explains one destination of its address.
bool explained_by_refusal(std::map<std::string, std::uint64_t>& refused, const LedgerKey& key) {
  const auto at = refused.find(std::get<1>(key));
  if (at == refused.end() || at->second == 0) return false;
  --at->second;
  return true;
}

}  // namespace

std::vector<std::string> disagreements(const FlowAccounts& accounts) {
  const auto captured = captured_counts(accounts.tap);
  std::map<LedgerKey, std::uint64_t> counted;
  std::set<LedgerKey> keys;
  for (const auto& [key, count] : accounts.ledger) {
    if (count.packets == 0) continue;
    counted[key] = count.packets;
    keys.insert(key);
  }
  for (const auto& [key, count] : captured) keys.insert(key);
  std::map<std::string, std::uint64_t> refused;  // sockets that have lost their port, by address
  for (const auto& [key, count] : accounts.closed)
    if (std::get<2>(key) != 0)
      keys.insert(key);
    else
      refused[std::get<1>(key)] += count;

  std::vector<std::string> found;
  for (const auto& key : keys) {
    const auto ledger = count_in(counted, key);
    const auto tap = count_in(captured, key);
    const auto sockets = count_in(accounts.closed, key);
    const char* unit = is_tcp(key) ? "SYNs" : "packets";
    if (ledger != tap)
      found.push_back(
          fmt::format("{}: ledger {} {}, tap {}", destination_text(key), ledger, unit, tap));
    else if (is_tcp(key) && sockets == 0 && explained_by_refusal(refused, key))
      continue;
    else if (is_tcp(key) && (sockets == 0 || sockets > tap))
      found.push_back(fmt::format("{}: ledger and tap {} SYNs, {} sockets closed",
                                  destination_text(key), tap, sockets));
  }
  return found;
}

evidence::Control agreement_control(const FlowAccounts& accounts) {
  const auto found = disagreements(accounts);
  evidence::Control control{kAgreementControl,
                            "",
                            evidence::Polarity::positive,
                            "every flow that one of them has, the others have",
                            "every flow agrees",
                            found.empty()};
  if (found.empty()) return control;
  control.observed.clear();
  for (std::size_t i = 0; i < std::min(found.size(), kNamedDisagreements); ++i)
    control.observed += (i == 0 ? "" : "; ") + found[i];
  if (found.size() > kNamedDisagreements)
    control.observed += fmt::format("; {} more", found.size() - kNamedDisagreements);
  return control;
}

}  // namespace telltale::catcher
