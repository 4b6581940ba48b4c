#include "catcher/ledger/counters.hpp"

#include <fmt/core.h>
#include <net/if.h>
#include <netinet/in.h>
#include <nftables/libnftables.h>

#include <array>
#include <nlohmann/json.hpp>

namespace telltale::catcher {

namespace {

using Json = nlohmann::json;

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
  std::string text = "table netdev telltale_ledger {\n";
  for (const auto& set : kLedgerSets)
    text += fmt::format(
        "  set {0} {{ type {1}; size {2}; flags dynamic; counter; }}\n  counter {0} {{ }}\n",
        set.name, set.type, kLedgerDestinations);
  return text + fmt::format(fmt::runtime(kLedgerChains), interface);
}

std::string ledger_protocol(const LedgerSet& set, const Json& second) {
  if (set.protocol != nullptr) return set.protocol;
  const int number = second.is_number() ? second.get<int>() : -1;
  if (number == IPPROTO_ICMP || number == IPPROTO_ICMPV6) return "icmp";
  return number == IPPROTO_UDP ? "udp" : fmt::format("protocol {}", number);
}

// The object of that name in libnftables-json(5)'s list.
const Json* object_of(const Json& answer, const char* name) {
  for (const auto& entry : answer.at("nftables"))
    if (const auto found = entry.find(name); found != entry.end()) return &*found;
  return nullptr;
}

// Adds the elements of a set; the sum of their packets.
std::uint64_t add_elements(const LedgerSet& set, const std::string& text,
                           std::map<LedgerKey, LedgerCount>& counts) {
  const auto answer = Json::parse(text);
  const auto* object = object_of(answer, "set");
  if (object == nullptr || object->find("elem") == object->end()) return 0;
  std::uint64_t sum = 0;
  for (const auto& entry : object->at("elem")) {
    const auto& element = entry.at("elem");
    const auto& halves = element.at("val").at("concat");
    const auto& counter = element.at("counter");
    const auto port =
        set.protocol == nullptr ? std::uint16_t{0} : halves.at(1).get<std::uint16_t>();
    auto& count = counts[{ledger_protocol(set, halves.at(1)), halves.at(0), port}];
    count.packets += counter.at("packets").get<std::uint64_t>();
    count.bytes += counter.at("bytes").get<std::uint64_t>();
    sum += counter.at("packets").get<std::uint64_t>();
  }
  return sum;
}

}  // namespace

void LedgerCounters::Free::operator()(nft_ctx* context) const {
  nft_ctx_free(context);
}
LedgerCounters::LedgerCounters(LedgerCounters&&) noexcept = default;
LedgerCounters& LedgerCounters::operator=(LedgerCounters&&) noexcept = default;
LedgerCounters::~LedgerCounters() = default;

Result<LedgerCounters> LedgerCounters::make(const std::string& interface) {
  // Linux 6.16 and later take the rules for a device that may yet come.
  if (if_nametoindex(interface.c_str()) == 0)
    return fail(Fault::instrument, fmt::format("the ledger found no interface {}", interface));
  LedgerCounters made(nft_ctx_new(NFT_CTX_DEFAULT));
  if (!made.context_ || nft_ctx_buffer_output(made.context_.get()) != 0 ||
      nft_ctx_buffer_error(made.context_.get()) != 0)
    return fail(Fault::instrument, "libnftables did not start");
  nft_ctx_output_set_flags(made.context_.get(), NFT_CTX_OUTPUT_JSON | NFT_CTX_OUTPUT_NUMERIC_ALL);
  if (auto done = made.run(ledger_rules(interface)); !done) return pass_on(done.error());
  return made;
}

Result<std::string> LedgerCounters::run(const std::string& command) const {
  if (nft_run_cmd_from_buffer(context_.get(), command.c_str()) == 0)
    return std::string(nft_ctx_get_output_buffer(context_.get()));
  const std::string said = nft_ctx_get_error_buffer(context_.get());
  return fail(Fault::instrument, "the ledger: nftables refused: " + said.substr(0, said.find('\n')),
              "the kernel needs nf_tables with the netdev family (modprobe nf_tables)");
}

Result<std::map<std::string, std::uint64_t>> LedgerCounters::totals() const {
  const auto text = run("list counters table netdev telltale_ledger");
  if (!text) return pass_on(text.error());
  std::map<std::string, std::uint64_t> all;
  const auto answer = Json::parse(*text);
  for (const auto& entry : answer.at("nftables"))
    if (const auto counter = entry.find("counter"); counter != entry.end())
      all[counter->at("name")] = counter->at("packets");
  return all;
}

Result<LedgerReading> LedgerCounters::read() const {
  // The counters first: what is counted between the two looks is in the sets only, and no overflow.
  const auto before = totals();
  if (!before) return pass_on(before.error());
  LedgerReading reading;
  for (const auto& set : kLedgerSets) {
    const auto text = run(fmt::format("list set netdev telltale_ledger {}", set.name));
    if (!text) return pass_on(text.error());
    const auto sum = add_elements(set, *text, reading.counts);
    if (sum < before->at(set.name))
      reading.overflowed.push_back(fmt::format("{} ({})", set.name, set.what));
  }
  return reading;
}

}  // namespace telltale::catcher
