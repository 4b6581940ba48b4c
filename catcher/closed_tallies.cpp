#include "catcher/closed_tallies.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <iterator>

namespace telltale::catcher {

namespace {

constexpr std::size_t kMaximumClosed = 50'000;  // distinct tallies
constexpr std::size_t kMaximumJoined = 20'000;  // flows with their owner
constexpr std::uint32_t kNobody = 0;

bool is_unspecified(const RawSocket& socket) {
  return std::all_of(std::begin(socket.peer), std::end(socket.peer),
                     [](std::uint32_t word) { return word == 0; });
}

// What capture and event have in common.
FlowKey flow_of(const RawSocket& socket) {
  FlowKey flow;
  const auto* peer = reinterpret_cast<const std::uint8_t*>(socket.peer);
  const bool mapped =
      socket.family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(reinterpret_cast<const in6_addr*>(peer));
  flow.version = socket.family == AF_INET || mapped ? 4 : 6;
  flow.protocol = socket.protocol;
  flow.source_port = socket.local_port;
  flow.destination_port = socket.peer_port;
  std::copy_n(mapped ? peer + 12 : peer, flow.version == 4 ? 4 : 16, flow.destination.begin());
  return flow;
}

}  // namespace

bool ClosedTallies::reaches_out(const RawSocket& socket) {
  const auto peer = socket.peer_endpoint().address;
  if (is_unspecified(socket) || peer == "::1" || peer.starts_with("127.")) return false;
  if (socket.local_endpoint().address == peer) return false;  // itself: by loopback too
  return socket.peer_port != 0 || socket.protocol == IPPROTO_TCP;
}

void ClosedTallies::add_inside(const RawSocket& socket, int launch) {
  if (!is_unspecified(socket) && socket.peer_port != 0) inside_.emplace(launch, socket.peer_port);
}

std::uint32_t ClosedTallies::intern(const std::optional<WitnessedProgram>& program) {
  if (!program) return kNobody;
  const auto [at, fresh] =
      owner_index_.try_emplace({program->pid, program->start_time, program->executable},
                               static_cast<std::uint32_t>(owners_.size()));
  if (fresh) owners_.push_back(*program);
  return at->second;
}

void ClosedTallies::add(const RawSocket& socket, const std::optional<WitnessedProgram>& program,
                        const Moment& moment, evidence::Instant at) {
  ++closed_;
  if (socket.protocol == IPPROTO_TCP) ++closed_tcp_;
  const auto peer = socket.peer_endpoint();
  const auto index = intern(program);
  const Key key{socket.protocol, peer.address, peer.port, index, moment.launch, moment.phase};
  auto known = tallies_.find(key);
  if (known == tallies_.end() && tallies_.size() >= kMaximumClosed) {
    ++lost_;
    return;
  }
  if (known == tallies_.end()) known = tallies_.emplace(key, Tally{at, at, 0}).first;
  known->second.last = at;
  ++known->second.count;
  if (index != kNobody && socket.local_port != 0 && joined_.size() < kMaximumJoined)
    joined_.insert_or_assign(flow_of(socket), index);
}

bool ClosedTallies::has_tcp(const std::string& host, std::uint16_t port) const {
  return std::any_of(tallies_.begin(), tallies_.end(), [&](const auto& tally) {
    const auto& [protocol, address, at_port, index, launch, phase] = tally.first;
    return protocol == IPPROTO_TCP && address == host && (at_port == port || at_port == 0);
  });
}

std::set<std::uint16_t> ClosedTallies::inside(int launch) const {
  std::set<std::uint16_t> ports;
  for (const auto& [in, port] : inside_)
    if (in == launch) ports.insert(port);
  return ports;
}

Sighting ClosedTallies::to_sighting(const Key& key, const Tally& tally) const {
  const auto& [protocol, host, port, index, launch, phase] = key;
  const auto& program = owners_[index];
  Sighting sighting;
  sighting.observer = "closed sockets";
  sighting.at = tally.first;
  sighting.last = tally.last;
  sighting.count = tally.count;
  sighting.launch = launch;
  sighting.phase = phase;
  sighting.protocol = protocol == IPPROTO_TCP ? "tcp" : "udp";
  sighting.kind = protocol == IPPROTO_TCP ? "" : "udp connect";
  sighting.host = host;
  sighting.port = port;
  put_into(program, sighting);
  return sighting;
}

std::vector<Sighting> ClosedTallies::sightings() const {
  std::vector<Sighting> all;
  for (const auto& [key, tally] : tallies_) all.push_back(to_sighting(key, tally));
  return all;
}

std::map<LedgerKey, std::uint64_t> ClosedTallies::tcp_counts() const {
  std::map<LedgerKey, std::uint64_t> counts;
  for (const auto& [key, tally] : tallies_)
    if (std::get<0>(key) == IPPROTO_TCP)
      counts[{"tcp", std::get<1>(key), std::get<2>(key)}] += tally.count;
  return counts;
}

std::optional<WitnessedProgram> ClosedTallies::owner_of(const FlowKey& flow) const {
  auto key = flow;
  key.source = {};
  key.ethertype = 0;
  const auto at = joined_.find(key);
  if (at == joined_.end()) return std::nullopt;
  return owners_[at->second];
}

}  // namespace telltale::catcher
