#include "catcher/ledger/counters.hpp"

#include <fmt/core.h>
#include <net/if.h>
#include <netinet/in.h>
#include <nftables/libnftables.h>

#include <array>
#include <memory>

#include "catcher/numeric_address.hpp"

namespace telltale::catcher {

namespace {

constexpr auto kLedgerTable = "telltale_ledger";

struct LedgerSet {
  const char* name;
  const char* what;
  const char* type;
  const char* protocol;  // nullptr: the second half of an element is the protocol's number
};

constexpr std::array<LedgerSet, 6> kLedgerSets{{
    {"tcp4", "TCP over IPv4", "ipv4_addr . inet_service", "tcp"},
    {"tcp6", "TCP over IPv6", "ipv6_addr . inet_service", "tcp"},
    {"udp4", "UDP over IPv4", "ipv4_addr . inet_service", "udp"},
    {"udp6", "UDP over IPv6", "ipv6_addr . inet_service", "udp"},
    {"rest4", "the rest of IPv4", "ipv4_addr . inet_proto", nullptr},
    {"rest6", "the rest of IPv6", "ipv6_addr . inet_proto", nullptr},
}};

// Later fragments have no ports and fall through to the rest. What a kernel says of itself (ICMP
// errors and echo replies, neighbour discovery, group membership) is not counted: the tap's
// Frame::housekeeping is the same list.
constexpr const char* kLedgerChains = R"(
  chain ingress {{
    type filter hook ingress device "{}" priority -500; policy accept;
    meta protocol ip jump four
    meta protocol ip6 jump six
  }}
  chain four {{
    tcp flags & (syn | ack) == syn counter name tcp4 add @tcp4 {{ ip daddr . tcp dport }} accept
    meta l4proto {{ tcp, igmp }} accept
    udp dport 0-65535 counter name udp4 add @udp4 {{ ip daddr . udp dport }} accept
    icmp type {{ echo-reply, destination-unreachable, time-exceeded, parameter-problem }} accept
    counter name rest4 add @rest4 {{ ip daddr . meta l4proto }}
  }}
  chain six {{
    tcp flags & (syn | ack) == syn counter name tcp6 add @tcp6 {{ ip6 daddr . tcp dport }} accept
    meta l4proto tcp accept
    udp dport 0-65535 counter name udp6 add @udp6 {{ ip6 daddr . udp dport }} accept
    icmpv6 type {{ 0-127, 129-137, 143 }} accept
    counter name rest6 add @rest6 {{ ip6 daddr . meta l4proto }}
  }}
}}
)";

std::string ledger_rules(const std::string& interface) {
  auto text = fmt::format("table netdev {} {{\n", kLedgerTable);
  for (const auto& set : kLedgerSets)
    text += fmt::format(
        "  set {0} {{ type {1}; size {2}; flags dynamic; counter; }}\n  counter {0} {{ }}\n",
        set.name, set.type, kLedgerDestinations);
  return text + fmt::format(fmt::runtime(kLedgerChains), interface);
}

std::string ledger_protocol(const LedgerSet& set, std::uint8_t number) {
  if (set.protocol != nullptr) return set.protocol;
  if (number == IPPROTO_ICMP || number == IPPROTO_ICMPV6) return "icmp";
  return number == IPPROTO_UDP ? "udp" : fmt::format("protocol {}", number);
}

// An element: the address, then the port or the protocol's number, in network order.
LedgerKey key_of_element(const LedgerSet& set, const CountedElement& element) {
  const bool six = element.size > 2 * sizeof(std::uint32_t);
  const auto* rest = element.key + (six ? sizeof(in6_addr) : sizeof(in_addr));
  const auto port = static_cast<std::uint16_t>(rest[0] << 8 | rest[1]);
  return {ledger_protocol(set, rest[0]), numeric_address(six ? AF_INET6 : AF_INET, element.key),
          set.protocol == nullptr ? std::uint16_t{0} : port};
}

Result<> run_nftables(const std::string& command) {
  const std::unique_ptr<nft_ctx, void (*)(nft_ctx*)> context(nft_ctx_new(NFT_CTX_DEFAULT),
                                                             nft_ctx_free);
  if (!context || nft_ctx_buffer_error(context.get()) != 0)
    return fail(Fault::instrument, "libnftables did not start");
  if (nft_run_cmd_from_buffer(context.get(), command.c_str()) == 0) return {};
  const std::string said = nft_ctx_get_error_buffer(context.get());
  return fail(Fault::instrument, "the ledger: nftables refused: " + said.substr(0, said.find('\n')),
              "the kernel needs nf_tables with the netdev family (modprobe nf_tables)");
}

}  // namespace

Result<LedgerCounters> LedgerCounters::make(const std::string& interface) {
  // Linux 6.16 and later take the rules for a device that may yet come.
  if (if_nametoindex(interface.c_str()) == 0)
    return fail(Fault::instrument, fmt::format("the ledger found no interface {}", interface));
  if (auto done = run_nftables(ledger_rules(interface)); !done) return pass_on(done.error());
  auto dump = TableDump::open(kLedgerTable);
  if (!dump) return pass_on(dump.error());
  return LedgerCounters(std::move(*dump));
}

Result<LedgerReading> LedgerCounters::read() const {
  // The counters first: what is counted between the two looks is in the sets only, and no overflow.
  const auto before = dump_.counters();
  if (!before) return pass_on(before.error());
  LedgerReading reading;
  for (const auto& set : kLedgerSets) {
    std::map<LedgerKey, LedgerCount> counts;  // apart: an element that comes twice is one
    const auto done = dump_.visit(set.name, [&](const CountedElement& element) {
      counts[key_of_element(set, element)] = {element.packets, element.bytes};
    });
    if (!done) return pass_on(done.error());
    std::uint64_t sum = 0;
    for (const auto& [key, count] : counts) sum += count.packets;
    const auto counted = before->find(set.name);
    if (counted == before->end())
      return fail(Fault::instrument, fmt::format("the ledger has no counter {}", set.name));
    if (sum < counted->second)
      reading.overflowed.push_back(fmt::format("{} ({})", set.name, set.what));
    reading.counts.merge(counts);
    for (const auto& [key, count] : counts) {  // ICMP over IPv4 and IPv6 have one name
      reading.counts[key].packets += count.packets;
      reading.counts[key].bytes += count.bytes;
    }
  }
  return reading;
}

}  // namespace telltale::catcher
