#include "catcher/resolver.hpp"

#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <list>
#include <optional>

#include "catcher/control_round.hpp"
#include "catcher/nonce.hpp"
#include "catcher/peer_owner.hpp"
#include "catcher/reply_sender.hpp"
#include "catcher/resolver_answers.hpp"
#include "catcher/sent/sent_values.hpp"
#include "catcher/sighting_log.hpp"
#include "catcher/wire/dns_message.hpp"

namespace telltale::catcher {

namespace {

using DnsClock = std::chrono::steady_clock;

constexpr std::size_t kQueryLimit = 4096;         // bytes of a message that is read
constexpr std::chrono::seconds kDnsPatience{10};  // with a silent connection
constexpr int kBatch = 256;                       // messages before the other sockets have a turn

// The two ends of a question, and the server that was to get it.
struct DnsRoute {
  Endpoint peer, here, asked;
};

struct DnsConnection {
  subject::FileDescriptor socket;
  DnsRoute route;
  DnsClock::time_point until;
  std::vector<std::uint8_t> buffer;
};

}  // namespace

struct Resolver::Server {
  Scene& scene;
  ResolverPlan plan;
  ResolverAnswers answers;
  PeerOwner owner;
  SightingLog log;
  subject::FileDescriptor udp, tcp;
  ReplySender replies;
  std::list<DnsConnection> connections;  // the oldest first
  ServingThread thread;
  std::optional<evidence::Instant> started, ended;

  struct Question {
    ControlRound::Act act;
    std::string what, name;
  };
  std::vector<Question> questions;  // of the control that runs now

  Server(Scene& of, NameTable& table, ResolverPlan how)
      : scene(of), plan(std::move(how)), answers(table, plan), owner(of) {}

  // A value that is longer than a label goes over several.
  void feed(wire::Bytes message, const wire::DnsQuery& query, const Sighting& sighting) const {
    if (plan.sent == nullptr) return;
    for (const auto& question : query.questions) {
      const SentPlace place{"resolver", "dns", question.name, 53, sighting.executable};
      auto joined = question.name;
      std::erase(joined, '.');
      for (const std::string_view bytes : {wire::as_text(message), std::string_view(joined)}) {
        SentStream one;
        plan.sent->feed(one, bytes, place);
      }
    }
  }

  [[nodiscard]] DnsRoute route_of(Endpoint peer, Endpoint here, bool by_udp) const {
    auto asked = plan.side.destination_of(peer, by_udp).value_or(here);
    return {std::move(peer), std::move(here), std::move(asked)};
  }

  void record(wire::Bytes message, const wire::DnsQuery* query, bool over_tcp,
              const DnsRoute& route) {
    const auto& asked = route.asked;
    Sighting sighting;
    sighting.observer = "resolver";
    sighting.at = evidence::now();
    const auto moment = scene.moment();
    sighting.launch = moment.launch;
    // What another observer's control did may be read after its moment.
    sighting.phase = scene.is_control(asked.address, asked.port) ? kControlPhase : moment.phase;
    sighting.address = asked.address;
    sighting.port = asked.port;
    sighting.client_port = route.peer.port;
    sighting.payload = message.size();
    auto program = owner.find(over_tcp ? IPPROTO_TCP : IPPROTO_UDP, route.peer, route.here);
    sighting.pid = program.pid;
    sighting.executable = std::move(program.executable);
    if (query == nullptr || query->questions.empty()) {
      sighting.protocol = over_tcp ? "tcp" : "udp";
      sighting.host = asked.address;
      sighting.said = "a message that is no DNS question";
      return log.add(std::move(sighting));
    }
    sighting.protocol = "dns";
    feed(message, *query, sighting);
    for (const auto& question : query->questions) {
      sighting.host = question.name;
      if (answers.exists(question.name)) sighting.answered_by = "the resolver";
      sighting.said = fmt::format("DNS question {}{}", wire::dns_type_name(question.type),
                                  over_tcp ? " over TCP" : "");
      log.add(sighting);
    }
  }

  // Empty: there is no answer to this.
  std::vector<std::uint8_t> handle(wire::Bytes message, bool over_tcp, const DnsRoute& route) {
    const auto query = wire::parse_dns_query(message);
    // The asker waits for the answer, and so still has its socket: it is looked up before.
    record(message, query ? &*query : nullptr, over_tcp, route);
    return query ? wire::answer_dns(*query, answers.reply_to(*query)) : std::vector<std::uint8_t>();
  }

  void serve_udp() {
    std::array<std::uint8_t, kQueryLimit> buffer;
    Datagram datagram;
    for (int i = 0; i < kBatch && receive(udp.get(), buffer, datagram); ++i) {
      const auto route = route_of(endpoint_of(datagram.from), endpoint_of(datagram.to), true);
      const auto answer = handle(wire::Bytes(buffer).first(datagram.size), false, route);
      if (!answer.empty()) replies.send(udp.get(), answer, datagram);
    }
  }

  void accept_all() {
    for (int i = 0; i < kBatch; ++i) {
      sockaddr_storage peer{}, here{};
      socklen_t length = sizeof peer;
      subject::FileDescriptor socket(accept4(tcp.get(), reinterpret_cast<sockaddr*>(&peer), &length,
                                             SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!socket.valid()) {
        // Out of descriptors: the oldest connection makes room, the new one waits in the kernel.
        if ((errno == EMFILE || errno == ENFILE) && !connections.empty()) connections.pop_front();
        return;
      }
      length = sizeof here;
      getsockname(socket.get(), reinterpret_cast<sockaddr*>(&here), &length);
      if (connections.size() >= kConnections) connections.pop_front();
      connections.push_back({std::move(socket),
                             route_of(endpoint_of(peer), endpoint_of(here), false),
                             DnsClock::now() + kDnsPatience,
                             {}});
    }
  }

  // False when the connection is over.
  bool serve_connection(DnsConnection& connection) {
    std::array<std::uint8_t, kQueryLimit> part;
    const auto bytes = recv(connection.socket.get(), part.data(), part.size(), 0);
    if (bytes < 0) return errno == EAGAIN || errno == EINTR;
    if (bytes == 0) {
      if (!connection.buffer.empty()) record(connection.buffer, nullptr, true, connection.route);
      return false;
    }
    auto& buffer = connection.buffer;
    buffer.insert(buffer.end(), part.begin(), part.begin() + bytes);
    while (const auto message = wire::first_dns_frame(buffer)) {
      const auto answer = handle(*message, true, connection.route);
      buffer.erase(buffer.begin(),
                   buffer.begin() + static_cast<std::ptrdiff_t>(message->size() + 2));
      const auto framed = wire::dns_frame(answer);
      if (answer.empty() || ::send(connection.socket.get(), framed.data(), framed.size(),
                                   MSG_NOSIGNAL) != static_cast<ssize_t>(framed.size()))
        return false;
      connection.until = DnsClock::now() + kDnsPatience;
    }
    if (buffer.size() < kQueryLimit) return true;
    record(buffer, nullptr, true, connection.route);
    return false;
  }

  void serve_connections(const std::vector<pollfd>& polled, std::size_t first) {
    auto at = connections.begin();
    for (std::size_t i = first; i < polled.size() && at != connections.end(); ++i) {
      const bool over =
          polled[i].revents != 0 ? !serve_connection(*at) : DnsClock::now() > at->until;
      at = over ? connections.erase(at) : std::next(at);
    }
  }

  void run(int stop) {
    for (bool last_round = false; !last_round;) {
      std::vector<pollfd> polled = {
          {stop, POLLIN, 0}, {udp.get(), POLLIN, 0}, {tcp.get(), POLLIN, 0}};
      for (const auto& connection : connections)
        polled.push_back({connection.socket.get(), POLLIN, 0});
      poll(polled.data(), polled.size(), 1000);
      last_round = polled[0].revents != 0;  // what has arrived by now is still served
      serve_connections(polled, 3);
      serve_udp();
      accept_all();
    }
  }
};

Resolver::Resolver(Scene& scene, NameTable& names, ResolverPlan plan)
    : server_(std::make_unique<Server>(scene, names, std::move(plan))) {}
Resolver::~Resolver() = default;

Result<> Resolver::start(subject::Enclosure&) {
  auto& server = *server_;
  auto udp = duplicate(server.plan.udp, "the resolver");
  if (!udp) return pass_on(std::move(udp.error()));
  auto tcp = duplicate(server.plan.tcp, "the resolver");
  if (!tcp) return pass_on(std::move(tcp.error()));
  server.udp = std::move(*udp);
  server.tcp = std::move(*tcp);
  if (auto opened = server.plan.side.in_subject([&] { return server.owner.open(); }); !opened)
    return opened;
  server.started = evidence::now();
  return server.thread.start(server.plan.side, [&server](int stop) { server.run(stop); });
}

std::string_view Resolver::expected() const {
  return "a caller asks for names that exist nowhere, A and TXT by UDP, A by TCP; each is answered "
         "and recorded";
}

void Resolver::ask(ControlRound& round) {
  auto& server = *server_;
  const auto probe = server.plan.probe.value_or(Endpoint{nonce_address(false), 53});
  round.expect_at(probe.address, probe.port);
  server.questions.clear();
  std::set<std::string> names;
  for (const auto& [transport, type] : {std::pair{"udp", "A"}, {"udp", "TXT"}, {"tcp", "A"}}) {
    const auto name = make_nonce() + ".example";
    names.insert(name);
    server.questions.push_back(
        {round.add({"ask", transport, probe.address, std::to_string(probe.port), name, type}),
         fmt::format("{} by {}", type, transport), name});
  }
  server.log.expect(std::move(names));
}

// Each is recorded before it is answered: there is nothing to wait for.
Proof Resolver::check(const ControlRound& round) {
  Proof proof{"answered and recorded"};
  const auto seen = server_->log.seen();
  for (const auto& [act, what, name] : server_->questions)
    if (const auto& said = round.said(act); !said.done)
      proof.wrong.push_back(fmt::format("{}: {}", what, said.text));
    else if (seen.count(name) == 0)
      proof.wrong.push_back(fmt::format("{}: answered, not recorded", what));
  server_->log.expect({});
  return proof;
}

void Resolver::stop() {
  if (!server_->thread.running()) return;
  server_->thread.stop();
  server_->ended = evidence::now();
}

std::vector<Sighting> Resolver::sightings() const {
  return server_->log.all();
}

evidence::ObserverRecord Resolver::record() const {
  evidence::ObserverRecord record;
  record.name = "resolver";
  record.role = evidence::Role::proof;
  record.sees = "every DNS question to port 53 of any address, by UDP and TCP, of any type";
  record.misses = "names that are asked for over TLS, HTTPS or a unix socket";
  record.started = server_->started;
  record.ended = server_->ended;
  record.lost = server_->log.lost();
  if (server_->ended) record.failure = server_->thread.failure();
  return record;
}

std::vector<evidence::Row> Resolver::rows(const evidence::HostStamp&) const {
  return {{"DNS questions", static_cast<std::int64_t>(server_->log.count()), "",
           server_->plan.no_such_name ? "controls left out; answered \"no such name\""
                                      : "controls left out; every name exists"}};
}

}  // namespace telltale::catcher
