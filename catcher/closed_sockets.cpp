#include "catcher/closed_sockets.hpp"

#include <fmt/core.h>
#include <libmnl/libmnl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "catcher/control_round.hpp"
#include "catcher/socket_diagnostics.hpp"

namespace telltale::catcher {

namespace {

constexpr int kEventBuffer = 16 * 1024 * 1024;  // bytes; without privilege net.core.rmem_max
constexpr int kQuietMs = 50;                    // the kernel tells from a work queue
constexpr int kSettledMs = 10;                  // where the openings are known
constexpr int kSettleLimitMs = 500;             // a SYN that was sent again is no further socket
constexpr auto kEventPatience = std::chrono::seconds(2);
constexpr std::size_t kMaximumClosed = 50'000;   // distinct tallies
constexpr std::size_t kMaximumJoined = 20'000;  // flows with their owner
constexpr std::uint32_t kNobody = 0;

// Protocol, destination, port, owner, launch, phase.
using ClosedKey =
    std::tuple<std::uint8_t, std::string, std::uint16_t, std::uint32_t, int, std::string>;
struct ClosedTally {
  evidence::Instant first, last;
  std::uint64_t count = 0;
};

bool is_loopback(const std::string& address) {
  return address == "::1" || address.rfind("127.", 0) == 0;
}

bool is_unspecified(const RawSocket& socket) {
  return std::all_of(std::begin(socket.peer), std::end(socket.peer),
                     [](std::uint32_t word) { return word == 0; });
}

// What is left of a closed one, in the dump only (a time-wait entry shows its substate).
bool is_remainder(const RawSocket& socket) {
  return socket.protocol == IPPROTO_TCP && socket.state == TCP_FIN_WAIT2 && socket.inode == 0;
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

int take_protocol(const nlattr* attribute, void* protocol) {
  if (mnl_attr_get_type(attribute) == INET_DIAG_PROTOCOL)
    *static_cast<std::uint8_t*>(protocol) = mnl_attr_get_u8(attribute);
  return MNL_CB_OK;
}

// Of INET_DIAG_PROTOCOL; 0 when it is not there.
std::uint8_t protocol_of(const nlmsghdr* header) {
  std::uint8_t protocol = 0;
  mnl_attr_parse(header, sizeof(inet_diag_msg), take_protocol, &protocol);
  return protocol;
}

}  // namespace

subject::FileDescriptor subscribe_to_closed_sockets() {
  subject::FileDescriptor made(
      socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG));
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  if (!made.valid() || bind(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return {};
  if (setsockopt(made.get(), SOL_SOCKET, SO_RCVBUFFORCE, &kEventBuffer, sizeof kEventBuffer) != 0)
    setsockopt(made.get(), SOL_SOCKET, SO_RCVBUF, &kEventBuffer, sizeof kEventBuffer);
  for (const int group : {SKNLGRP_INET_TCP_DESTROY, SKNLGRP_INET_UDP_DESTROY,
                          SKNLGRP_INET6_TCP_DESTROY, SKNLGRP_INET6_UDP_DESTROY})
    if (setsockopt(made.get(), SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) != 0)
      return {};
  return made;
}

struct ClosedSockets::Listener {
  Scene& scene;
  Within in_subject;
  Owner owner;
  Openings openings;
  subject::FileDescriptor messages, stopping;
  std::vector<char> buffer = std::vector<char>(256 * 1024);  // the reader's own
  std::thread thread;

  mutable std::mutex mutex;  // guards everything below
  std::condition_variable added;
  std::map<ClosedKey, ClosedTally> tallies;
  std::vector<WitnessedProgram> owners{WitnessedProgram{}};
  std::map<std::tuple<pid_t, std::uint64_t, std::string>, std::uint32_t> owner_index;
  std::unordered_map<FlowKey, std::uint32_t, FlowHash> joined;
  std::set<std::pair<int, std::uint16_t>> inside;  // launch, port: the subject reached itself
  std::uint64_t closed = 0;
  std::uint64_t closed_tcp = 0;
  std::uint64_t overruns = 0;
  std::uint64_t lost = 0;
  std::optional<evidence::Instant> started, ended;
  std::string failure;

  Listener(Scene& of, Within within, Owner who, Openings begun)
      : scene(of),
        in_subject(std::move(within)),
        owner(std::move(who)),
        openings(std::move(begun)) {}
  ~Listener() { shut(); }

  void shut() {
    if (!thread.joinable()) return;
    const std::uint64_t one = 1;
    (void)!write(stopping.get(), &one, sizeof one);
    thread.join();
    add_open();
    const std::lock_guard lock(mutex);
    ended = evidence::now();
  }

  // What has not been closed is told by a dump.
  void visit_open(const std::function<void(const RawSocket&)>& each) {
    const auto done = in_subject([&]() -> Result<> {
      auto diagnostics = SocketDiagnostics::open();
      if (!diagnostics) return pass_on(std::move(diagnostics.error()));
      return diagnostics->visit([&](const RawSocket& open) {
        if (!is_remainder(open)) each(open);
      });
    });
    const std::lock_guard lock(mutex);
    if (!done && failure.empty()) failure = done.error().what;
  }

  void add_open() {
    visit_open([this](const RawSocket& open) { add(open); });
  }

  // Whether every connection that was begun has been told of, or is still open.
  bool settled() {
    if (!openings) return true;
    std::uint64_t known = 0;
    visit_open([&](const RawSocket& open) {
      if (open.protocol == IPPROTO_TCP && reaches_out(open)) ++known;
    });
    const std::lock_guard lock(mutex);
    return known + closed_tcp >= openings();
  }

  std::uint32_t intern(const std::optional<WitnessedProgram>& program) {
    if (!program) return kNobody;
    const auto [at, fresh] =
        owner_index.try_emplace({program->pid, program->start_time, program->executable},
                                static_cast<std::uint32_t>(owners.size()));
    if (fresh) owners.push_back(*program);
    return at->second;
  }

  // A refused connection has lost its port (tcp_disconnect) and kept its address; a listener and
  // UDP without a peer have neither.
  static bool reaches_out(const RawSocket& socket) {
    const auto peer = socket.peer_endpoint();
    if (is_unspecified(socket) || is_loopback(peer.address)) return false;
    if (socket.local_endpoint().address == peer.address) return false;  // itself: by loopback too
    return socket.peer_port != 0 || socket.protocol == IPPROTO_TCP;
  }

  void add_inside(const RawSocket& socket) {
    if (is_unspecified(socket) || socket.peer_port == 0) return;
    const std::lock_guard lock(mutex);
    inside.emplace(scene.moment().launch, socket.peer_port);
  }

  void add(const RawSocket& socket) {
    if (!reaches_out(socket)) return add_inside(socket);
    const auto peer = socket.peer_endpoint();
    const auto moment = scene.moment();
    const auto at = evidence::now();
    const auto program = owner ? owner(socket.cookie) : std::nullopt;
    const std::lock_guard lock(mutex);
    ++closed;
    if (socket.protocol == IPPROTO_TCP) ++closed_tcp;
    const auto index = intern(program);
    const ClosedKey key{socket.protocol, peer.address,  peer.port,
                        index,           moment.launch, moment.phase};
    auto known = tallies.find(key);
    if (known == tallies.end() && tallies.size() >= kMaximumClosed) {
      ++lost;
      return;
    }
    if (known == tallies.end()) known = tallies.emplace(key, ClosedTally{at, at, 0}).first;
    known->second.last = at;
    ++known->second.count;
    if (index != kNobody && socket.local_port != 0 && joined.size() < kMaximumJoined)
      joined.insert_or_assign(flow_of(socket), index);
  }

  void take(std::size_t bytes) {
    int left = static_cast<int>(bytes);
    for (auto* header = reinterpret_cast<const nlmsghdr*>(buffer.data());
         mnl_nlmsg_ok(header, left); header = mnl_nlmsg_next(header, &left))
      if (header->nlmsg_type == SOCK_DIAG_BY_FAMILY &&
          mnl_nlmsg_get_payload_len(header) >= sizeof(inet_diag_msg))
        add(to_raw_socket(*static_cast<const inet_diag_msg*>(mnl_nlmsg_get_payload(header)),
                          protocol_of(header)));
  }

  // Reads all that is there; false: there was nothing.
  bool read_all() {
    bool some = false;
    for (;;) {
      const auto bytes = recv(messages.get(), buffer.data(), buffer.size(), 0);
      if (bytes > 0) {
        take(static_cast<std::size_t>(bytes));
        some = true;
        continue;
      }
      if (bytes < 0 && errno == ENOBUFS) {
        const std::lock_guard lock(mutex);
        ++overruns;
        continue;
      }
      if (some) added.notify_all();
      return some;
    }
  }

  void run() {
    pollfd waiting[] = {{stopping.get(), POLLIN, 0}, {messages.get(), POLLIN, 0}};
    while ((waiting[0].revents & POLLIN) == 0) {
      poll(waiting, 2, -1);
      read_all();
    }
    const int quiet = openings ? kSettledMs : kQuietMs;
    for (int waited = 0; waited < kSettleLimitMs; waited += quiet) {
      while (poll(waiting + 1, 1, quiet) > 0) read_all();
      if (settled()) return;
    }
  }

  // nullptr: all were told.
  [[nodiscard]] const Stimulus* missing(const std::vector<Stimulus>& stimuli) const {
    const auto at = std::find_if(stimuli.begin(), stimuli.end(), [this](const auto& stimulus) {
      return stimulus.protocol == "tcp" &&
             std::none_of(tallies.begin(), tallies.end(), [&](const auto& tally) {
               return std::get<0>(tally.first) == IPPROTO_TCP &&
                      std::get<1>(tally.first) == stimulus.host &&
                      (std::get<2>(tally.first) == stimulus.port ||
                       std::get<2>(tally.first) == 0);  // it was refused
             });
    });
    return at == stimuli.end() ? nullptr : &*at;
  }

  [[nodiscard]] Sighting to_sighting(const ClosedKey& key, const ClosedTally& tally) const {
    const auto& [protocol, host, port, index, launch, phase] = key;
    const auto& program = owners[index];
    Sighting sighting;
    sighting.observer = "closed sockets";
    sighting.at = tally.first;
    sighting.last = tally.last;
    sighting.count = tally.count;
    sighting.launch = launch;
    // Told from a work queue, so a control's socket may come in the next phase.
    sighting.phase = scene.is_control(host, port) ? kControlPhase : phase;
    sighting.protocol = protocol == IPPROTO_TCP ? "tcp" : "udp";
    sighting.kind = protocol == IPPROTO_TCP ? "" : "udp connect";
    sighting.host = host;
    sighting.port = port;
    sighting.pid = program.pid;
    sighting.executable = program.executable;
    sighting.command_line = program.command_line;
    sighting.ancestry = program.ancestry;
    return sighting;
  }
};

ClosedSockets::ClosedSockets(Scene& scene, Within in_subject, Owner owner, Openings openings)
    : listener_(std::make_unique<Listener>(scene, std::move(in_subject), std::move(owner),
                                           std::move(openings))) {}
ClosedSockets::~ClosedSockets() = default;

Result<> ClosedSockets::start(subject::Enclosure&) {
  auto& listener = *listener_;
  const auto done = listener.in_subject([&]() -> Result<> {
    listener.messages = subscribe_to_closed_sockets();
    if (listener.messages.valid()) return {};
    return fail(Fault::instrument,
                fmt::format("no messages of closed sockets: {}", std::strerror(errno)),
                "the kernel needs INET_DIAG, and CAP_NET_ADMIN over that network");
  });
  if (!done) return done;
  listener.stopping = subject::FileDescriptor(eventfd(0, EFD_CLOEXEC));
  listener.started = evidence::now();
  listener.thread = std::thread([&listener] { listener.run(); });
  return {};
}

std::string_view ClosedSockets::expected() const {
  return "a caller's closed TCP sockets, IPv4 and IPv6, are told";
}

void ClosedSockets::ask(ControlRound& round) {
  round.add_stimuli();
}

Proof ClosedSockets::check(const ControlRound& round) {
  if (auto failure = round.stimuli_failure(); !failure.empty()) return {"", {std::move(failure)}};
  auto& listener = *listener_;
  std::unique_lock lock(listener.mutex);
  listener.added.wait_for(lock, kEventPatience,
                          [&] { return listener.missing(round.stimuli()) == nullptr; });
  if (const auto* missing = listener.missing(round.stimuli()))
    return {"", {missing->text() + " was not told within 2 s"}};
  return {"both, at their addresses"};
}

void ClosedSockets::stop() {
  listener_->shut();
}

std::vector<Sighting> ClosedSockets::sightings() const {
  const std::lock_guard lock(listener_->mutex);
  std::vector<Sighting> all;
  for (const auto& [key, tally] : listener_->tallies)
    all.push_back(listener_->to_sighting(key, tally));
  return all;
}

std::set<std::uint16_t> ClosedSockets::reached_itself(int launch) const {
  const std::lock_guard lock(listener_->mutex);
  std::set<std::uint16_t> ports;
  for (const auto& [in, port] : listener_->inside)
    if (in == launch) ports.insert(port);
  return ports;
}

std::map<LedgerKey, std::uint64_t> ClosedSockets::tcp_counts() const {
  const std::lock_guard lock(listener_->mutex);
  std::map<LedgerKey, std::uint64_t> counts;
  for (const auto& [key, tally] : listener_->tallies)
    if (std::get<0>(key) == IPPROTO_TCP)
      counts[{"tcp", std::get<1>(key), std::get<2>(key)}] += tally.count;
  return counts;
}

std::optional<WitnessedProgram> ClosedSockets::owner_of(const FlowKey& flow) const {
  auto key = flow;
  key.source = {};
  key.ethertype = 0;
  const std::lock_guard lock(listener_->mutex);
  const auto at = listener_->joined.find(key);
  if (at == listener_->joined.end()) return std::nullopt;
  return listener_->owners[at->second];
}

evidence::ObserverRecord ClosedSockets::record() const {
  const std::lock_guard lock(listener_->mutex);
  evidence::ObserverRecord record;
  record.name = "closed sockets";
  record.role = evidence::Role::corroboration;
  record.sees = "every TCP and connected UDP socket of the subject's network, when it is closed";
  record.misses = "raw and ICMP sockets, the peer of unconnected UDP";
  record.started = listener_->started;
  record.ended = listener_->ended;
  record.lost = listener_->overruns + listener_->lost;
  record.failure = listener_->failure;
  return record;
}

std::vector<evidence::Row> ClosedSockets::rows(const evidence::HostStamp&) const {
  const std::lock_guard lock(listener_->mutex);
  return {{"sockets with a peer, closed or left open", static_cast<std::int64_t>(listener_->closed),
           "", "controls included"}};
}

}  // namespace telltale::catcher
