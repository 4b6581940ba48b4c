#include "catcher/datagram_sink.hpp"

#include <fmt/core.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

#include "catcher/control_round.hpp"
#include "catcher/first_flight.hpp"
#include "catcher/nonce.hpp"
#include "catcher/peer_owner.hpp"
#include "catcher/sent/sent_values.hpp"
#include "catcher/wire/quic_initial.hpp"
#include "evidence/characters.hpp"

namespace telltale::catcher {

namespace {

constexpr std::chrono::seconds kArrival{2};  // for a control's packet to come through

// Launch, phase, port of the sender (0: counted by destination), destination.
using SinkFlow = std::tuple<int, std::string, std::uint16_t, std::string, std::uint16_t>;

}  // namespace

struct DatagramSink::Server {
  Scene& scene;
  const NameTable& names;
  DatagramSinkPlan plan;
  PeerOwner owner;
  subject::FileDescriptor udp;
  ServingThread thread;

  mutable std::mutex mutex;  // guards all that follows
  std::map<SinkFlow, Sighting> flows;
  std::map<SinkFlow, wire::CryptoStream> half_hellos;
  struct Expected {
    ControlRound::Act act;
    std::string address;
  };
  std::map<std::string, Expected> expected;  // by word: of the control that runs now
  std::set<std::string> seen;
  std::condition_variable arrived;
  std::uint64_t packets = 0, lost = 0;
  std::optional<evidence::Instant> started, ended;

  Server(Scene& of, const NameTable& table, DatagramSinkPlan how)
      : scene(of), names(table), plan(std::move(how)), owner(of) {}

  bool is_expected(wire::Bytes bytes) {
    for (const auto& [word, packet] : expected)
      if (wire::as_text(bytes).find(word) != std::string_view::npos) {
        seen.insert(word);
        arrived.notify_all();
        return true;
      }
    return false;
  }

  void read_quic(const SinkFlow& key, wire::Bytes bytes, Sighting& sighting) {
    const auto datagram = wire::read_quic_datagram(bytes);
    if (!datagram) return;
    if (datagram->initials == 0) {
      if (sighting.said.rfind("QUIC", 0) != 0)
        sighting.said = fmt::format("QUIC of version {:#x}, not read", datagram->version);
      return;
    }
    if (half_hellos.count(key) == 0 && half_hellos.size() >= kHalfHellos) half_hellos.clear();
    auto& stream = half_hellos[key];
    for (const auto& piece : datagram->pieces) stream.add(piece);
    const auto [shape, hello] = stream.hello();
    const auto details = describe(hello);
    sighting.said = shape == wire::Shape::whole ? "QUIC Initial" : "part of a QUIC Initial";
    if (!details.empty()) sighting.said += ", " + details;
    sighting.server_name = evidence::visible(hello.server_name);
    sighting.tls = TlsPayload::unseen;
    if (shape == wire::Shape::whole) half_hellos.erase(key);
  }

  Sighting begin(const Moment& moment, const Endpoint& from, const Endpoint& to,
                 wire::Bytes bytes) {
    Sighting sighting;
    sighting.observer = "datagrams";
    sighting.at = evidence::now();
    sighting.launch = moment.launch;
    sighting.phase = moment.phase;
    sighting.protocol = "udp";
    sighting.address = to.address;
    sighting.host = names.name_of(to.address).value_or(to.address);
    sighting.port = to.port;
    sighting.client_port = from.port;
    sighting.count = 0;
    auto program = owner.find(IPPROTO_UDP, from, to);
    sighting.pid = program.pid;
    sighting.executable = std::move(program.executable);
    sighting.said = describe_datagram(bytes, to.port);
    sighting.first_bytes = wire::as_text(bytes.first(std::min(bytes.size(), kFirstBytes)));
    return sighting;
  }

  Sighting* flow_of_packet(SinkFlow& key, const Moment& moment, const Endpoint& from,
                           const Endpoint& to, wire::Bytes bytes) {
    auto known = flows.find(key);
    if (known == flows.end() && flows.size() >= kFlows) {
      std::get<2>(key) = 0;
      known = flows.find(key);
    }
    if (known != flows.end()) return &known->second;
    if (flows.size() >= 2 * kFlows) return nullptr;
    auto sighting = begin(moment, from, to, bytes);
    if (std::get<2>(key) == 0) sighting.client_port = 0;
    return &flows.emplace(key, std::move(sighting)).first->second;
  }

  void take(const Datagram& datagram, wire::Bytes bytes) {
    const std::lock_guard lock(mutex);
    if (is_expected(bytes)) return;
    ++packets;
    auto moment = scene.moment();
    const auto from = endpoint_of(datagram.from);
    const auto to = endpoint_of(datagram.to);
    // What another observer's control did may be read after its moment.
    if (scene.is_control(to.address, to.port)) moment.phase = kControlPhase;
    SinkFlow key{moment.launch, moment.phase, from.port, to.address, to.port};
    auto* sighting = flow_of_packet(key, moment, from, to, bytes);
    if (sighting == nullptr) {
      ++lost;
      return;
    }
    ++sighting->count;
    sighting->payload += bytes.size();
    sighting->last = evidence::now();
    read_quic(key, bytes, *sighting);
    if (plan.sent == nullptr) return;
    SentStream one;
    plan.sent->feed(one, wire::as_text(bytes),
                    {"datagrams", "udp", sighting->host, sighting->port, sighting->executable});
  }

  // Packets that the kernel dropped since the socket was made; SO_MEMINFO of sock_diag(7).
  void count_dropped() {
    std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
    socklen_t length = sizeof memory;
    constexpr int kMemoryInformation = 55;  // SO_MEMINFO of asm-generic/socket.h
    if (getsockopt(udp.get(), SOL_SOCKET, kMemoryInformation, memory.data(), &length) != 0) return;
    const std::lock_guard lock(mutex);
    lost += memory[SK_MEMINFO_DROPS];
  }

  void run(int stop) {
    std::vector<std::uint8_t> buffer(64 * 1024);
    Datagram datagram;
    for (bool stopping = false; !stopping;) {
      std::array<pollfd, 2> polled = {pollfd{stop, POLLIN, 0}, pollfd{udp.get(), POLLIN, 0}};
      poll(polled.data(), polled.size(), -1);
      stopping = polled[0].revents != 0;  // what has arrived by now is still read
      while (receive(udp.get(), buffer, datagram))
        take(datagram, wire::Bytes(buffer).first(datagram.size));
    }
    count_dropped();
  }
};

DatagramSink::DatagramSink(Scene& scene, const NameTable& names, DatagramSinkPlan plan)
    : server_(std::make_unique<Server>(scene, names, std::move(plan))) {}
DatagramSink::~DatagramSink() = default;

Result<> DatagramSink::start(subject::Enclosure&) {
  auto& server = *server_;
  auto copy = duplicate(server.plan.udp, "the sink of packets");
  if (!copy) return pass_on(std::move(copy.error()));
  server.udp = std::move(*copy);
  if (auto opened = server.plan.side.in_subject([&] { return server.owner.open(); }); !opened)
    return opened;
  server.started = evidence::now();
  return server.thread.start(server.plan.side, [&server](int stop) { server.run(stop); });
}

std::string_view DatagramSink::expected() const {
  return "a caller sends a word that nobody knows in a packet by IPv4 and one by IPv6; each "
         "arrives";
}

void DatagramSink::ask(ControlRound& round) {
  auto& server = *server_;
  const auto probes = probes_of(server.plan.probes, server.scene);
  const std::lock_guard lock(server.mutex);
  server.seen.clear();
  for (const auto& [address, port] : probes) {
    const auto word = make_nonce();
    server.expected[word] = {round.add({"say", "udp", address, std::to_string(port), word}),
                             address};
  }
}

Proof DatagramSink::check(const ControlRound& round) {
  auto& server = *server_;
  std::unique_lock lock(server.mutex);
  server.arrived.wait_for(lock, kArrival, [&] {
    return std::all_of(server.expected.begin(), server.expected.end(), [&](const auto& one) {
      return server.seen.count(one.first) != 0 || !round.said(one.second.act).done;
    });
  });
  Proof proof{"arrived"};
  for (const auto& [word, packet] : server.expected)
    if (const auto& said = round.said(packet.act); !said.done)
      proof.wrong.push_back(fmt::format("{}: {}", packet.address, said.text));
    else if (server.seen.count(word) == 0)
      proof.wrong.push_back(fmt::format("{}: sent, not seen", packet.address));
  server.expected.clear();
  return proof;
}

void DatagramSink::stop() {
  if (!server_->thread.running()) return;
  server_->thread.stop();
  server_->ended = evidence::now();
}

std::vector<Sighting> DatagramSink::sightings() const {
  const std::lock_guard lock(server_->mutex);
  std::vector<Sighting> all;
  for (const auto& [key, sighting] : server_->flows) all.push_back(sighting);
  return all;
}

evidence::ObserverRecord DatagramSink::record() const {
  const std::lock_guard lock(server_->mutex);
  evidence::ObserverRecord record;
  record.name = "datagrams";
  record.role = evidence::Role::proof;
  record.sees = "every UDP packet but DNS and multicast, where it was to go, and what it says";
  record.misses = "multicast; a UDP socket that is connected and sends nothing; what is no UDP";
  record.started = server_->started;
  record.ended = server_->ended;
  record.lost = server_->lost;
  if (server_->ended) record.failure = server_->thread.failure();
  return record;
}

std::vector<evidence::Row> DatagramSink::rows(const evidence::HostStamp&) const {
  const std::lock_guard lock(server_->mutex);
  return {{"UDP packets", static_cast<std::int64_t>(server_->packets), "",
           "controls and DNS left out; none was answered"}};
}

}  // namespace telltale::catcher
