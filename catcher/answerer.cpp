#include "catcher/answerer.hpp"

#include <fmt/core.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <set>
#include <unordered_map>

#include "catcher/control_round.hpp"
#include "catcher/first_flight.hpp"
#include "catcher/nonce.hpp"
#include "catcher/peer_owner.hpp"
#include "catcher/sighting_log.hpp"

namespace telltale::catcher {

namespace {

using AnswerClock = std::chrono::steady_clock;

constexpr int kAcceptBatch = 256;               // before the open connections have a turn
constexpr std::chrono::seconds kFarewell{2};    // for a caller to read its answer and close
constexpr std::size_t kDescriptorReserve = 64;  // of the process, for everything else

enum class Stage { reading, leaving, held };

struct CaughtConnection {
  subject::FileDescriptor socket;
  Endpoint peer, here, dialled;  // the two ends, and where the caller wanted to go
  evidence::Instant at;
  Moment moment;
  Stage stage = Stage::reading;
  AnswerClock::time_point last_moment;  // when the stage is over, whatever comes
  AnswerClock::time_point due;          // when it is looked at again; its place in the queue
  std::vector<std::uint8_t> flight;
  std::uint64_t payload = 0;
  PeerProgram program;
  bool settings_sent = false;
  std::unique_ptr<SecuredConnection> secured{};  // TLS that is read

  [[nodiscard]] FirstFlight first_flight() const {
    return secured ? secured->flight() : read_first_flight(flight);
  }
  [[nodiscard]] wire::Bytes said() const {
    return secured ? secured->plain() : wire::Bytes(flight);
  }
};

// SYNs to a listening socket are dropped, unanswered: the filter of the socket lets nothing pass.
void drop_everything(int socket, bool on) {
  sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
  sock_fprog program{1, &nothing};
  const int unused = 0;
  if (on)
    setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
  else
    setsockopt(socket, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}

std::size_t connection_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 512;
  const auto half = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1 << 20)) / 2;
  return std::min(Answerer::kConnections, std::max(half, kDescriptorReserve));
}

void reset_on_close(int socket) {
  const linger at_once{1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace

struct Answerer::Server {
  using Queue = std::set<std::pair<AnswerClock::time_point, int>>;

  Scene& scene;
  const NameTable& names;
  AnswererPlan plan;
  PeerOwner owner;
  SightingLog log;
  subject::FileDescriptor listener, epoll;
  std::unordered_map<int, CaughtConnection> connections;
  Queue queue;  // by `due`
  std::size_t limit = connection_limit();
  ServingThread thread;
  std::optional<evidence::Instant> started, ended;

  Server(Scene& of, const NameTable& table, AnswererPlan how)
      : scene(of), names(table), plan(std::move(how)), owner(of) {}

  Result<> open() {
    auto copy = duplicate(plan.tcp, "the answerer");
    if (!copy) return pass_on(std::move(copy.error()));
    listener = std::move(*copy);
    epoll = subject::FileDescriptor(epoll_create1(EPOLL_CLOEXEC));
    if (!epoll.valid() || !watch(listener.get()))
      return fail(Fault::instrument, "the answerer never started: no epoll",
                  "raise the limit of open files (ulimit -n)");
    if (plan.mode == AnswerMode::drop) drop_everything(listener.get(), true);
    return plan.side.in_subject([this] { return owner.open(); });
  }

  [[nodiscard]] bool watch(int fd) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    return epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd, &event) == 0;
  }

  void schedule(CaughtConnection& connection, AnswerClock::time_point due) {
    const int fd = connection.socket.get();
    queue.erase({connection.due, fd});
    connection.due = std::min(due, connection.last_moment);
    queue.insert({connection.due, fd});
  }

  void enter(CaughtConnection& connection, Stage stage, AnswerClock::time_point last) {
    connection.stage = stage;
    connection.last_moment = last;
    schedule(connection, last);
  }

  void forget(int fd) {
    const auto at = connections.find(fd);
    if (at == connections.end()) return;
    queue.erase({at->second.due, fd});
    connections.erase(at);
  }

  // --- from the first byte to the sighting

  void accept_all() {
    for (int i = 0; i < kAcceptBatch; ++i) {
      sockaddr_storage peer{}, here{};
      socklen_t length = sizeof peer;
      subject::FileDescriptor socket(accept4(listener.get(), reinterpret_cast<sockaddr*>(&peer),
                                             &length, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!socket.valid()) {
        if (errno == EMFILE || errno == ENFILE) make_room();
        return;
      }
      length = sizeof here;
      getsockname(socket.get(), reinterpret_cast<sockaddr*>(&here), &length);
      begin(std::move(socket), endpoint_of(peer), endpoint_of(here));
    }
  }

  void begin(subject::FileDescriptor socket, Endpoint peer, Endpoint here) {
    if (connections.size() >= limit) make_room();
    const int fd = socket.get();
    auto dialled = plan.side.destination_of(peer, false).value_or(here);
    CaughtConnection connection{std::move(socket),
                                std::move(peer),
                                std::move(here),
                                std::move(dialled),
                                evidence::now(),
                                scene.moment(),
                                Stage::reading,
                                {},
                                {},
                                {},
                                0,
                                {},
                                false,
                                nullptr};
    connection.program = owner.find(IPPROTO_TCP, connection.peer, connection.here);
    if (plan.mode == AnswerMode::refuse) {
      record(connection, {});
      reset_on_close(fd);
      return;
    }
    auto& kept = connections.emplace(fd, std::move(connection)).first->second;
    const auto last = AnswerClock::now() + kPatience;
    enter(kept, Stage::reading, last);
    if (!watch(fd)) finish(fd);
  }

  // The oldest of those that have had the most time.
  void make_room() {
    if (queue.empty()) return;
    const int fd = queue.begin()->second;
    if (connections.at(fd).stage == Stage::reading) finish(fd);
    forget(fd);
  }

  void on_readable(int fd) {
    const auto at = connections.find(fd);
    if (at == connections.end()) return;
    auto& connection = at->second;
    std::array<std::uint8_t, 16 * 1024> part;
    const auto bytes = recv(fd, part.data(), part.size(), 0);
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (connection.stage != Stage::reading) {
      if (bytes <= 0) forget(fd);
      return;
    }
    if (bytes <= 0) {
      if (connection.secured) connection.secured->peer_closed();
      finish(fd, true);
      forget(fd);
      return;
    }
    const auto count = static_cast<std::size_t>(bytes);
    connection.payload += count;
    if (connection.secured) {
      connection.secured->receive({part.data(), count});
      return on_flight(fd, connection);
    }
    auto& flight = connection.flight;
    const auto room = std::min(count, kFirstFlight - flight.size());
    flight.insert(flight.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(room));
    on_flight(fd, connection);
  }

  void on_flight(int fd, CaughtConnection& connection) {
    auto flight = connection.first_flight();
    if (flight.tls == TlsPayload::unseen && flight.complete && answer_hello(connection))
      flight = connection.first_flight();
    if (connection.secured) send_all(fd, connection.secured->take_output());
    if (flight.http2_preface && !connection.settings_sent) {
      connection.settings_sent = true;
      say(connection, http2_settings());
    }
    if (flight.complete || connection.said().size() >= kFirstFlight) return finish(fd);
    if (!flight.known) schedule(connection, AnswerClock::now() + kQuiet);
  }

  // True when TLS is read, from here on.
  bool answer_hello(CaughtConnection& connection) {
    if (plan.tls == nullptr || connection.secured) return false;
    connection.secured = plan.tls->secure(host_of(connection), connection.flight);
    if (!connection.secured) return false;
    connection.flight = {};
    enter(connection, Stage::reading, AnswerClock::now() + kSecured);
    return true;
  }

  [[nodiscard]] std::string host_of(const CaughtConnection& connection) const {
    const auto& address = connection.dialled.address;
    return names.name_of(address).value_or(address);
  }

  void record(const CaughtConnection& connection, const FirstFlight& flight) {
    Sighting sighting;
    sighting.observer = "answerer";
    sighting.at = connection.at;
    sighting.launch = connection.moment.launch;
    // What another observer's control did may be accepted after its moment.
    sighting.phase = scene.is_control(connection.dialled.address, connection.dialled.port)
                         ? kControlPhase
                         : connection.moment.phase;
    sighting.protocol = "tcp";
    sighting.address = connection.dialled.address;
    sighting.host = host_of(connection);
    sighting.port = connection.dialled.port;
    sighting.client_port = connection.peer.port;
    sighting.pid = connection.program.pid;
    sighting.executable = connection.program.executable;
    sighting.payload = connection.payload;
    put_into(flight, connection.said(), sighting);
    for (auto& question : questions_of(flight, sighting)) log.add(std::move(question));
    log.add(std::move(sighting));
  }

  // --- the answer

  static void send_all(int fd, const std::string& bytes) {
    // A few hundred bytes into the empty buffer of a new connection: it takes them, or is gone.
    if (!bytes.empty()) ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  static void say(CaughtConnection& connection, const std::string& bytes) {
    const int fd = connection.socket.get();
    if (!connection.secured) return send_all(fd, bytes);
    connection.secured->say(bytes);
    send_all(fd, connection.secured->take_output());
  }

  // The first flight is over: it is recorded and answered. `gone`: forget() comes next.
  void finish(int fd, bool gone = false) {
    auto& connection = connections.at(fd);
    const auto flight = connection.first_flight();
    if (connection.program.pid == 0 && !connection.program.gone)
      connection.program = owner.find(IPPROTO_TCP, connection.peer, connection.here);
    record(connection, flight);
    connection.flight = {};
    if (plan.mode == AnswerMode::accept_hold)
      return enter(connection, Stage::held, AnswerClock::time_point::max());
    if (!flight.request.method.empty())
      say(connection, flight.http2_preface ? http2_answer(plan.mode, flight.http2_streams)
                                           : http1_answer(plan.mode));
    if (connection.secured) {
      connection.secured->say_goodbye();
      send_all(fd, connection.secured->take_output());
    }
    if (gone) return;
    // Closing with bytes unread would reset the connection: what still comes is read and let go.
    shutdown(fd, SHUT_WR);
    enter(connection, Stage::leaving, AnswerClock::now() + kFarewell);
  }

  void on_due() {
    const auto now = AnswerClock::now();
    while (!queue.empty() && queue.begin()->first <= now) {
      const int fd = queue.begin()->second;
      if (connections.at(fd).stage == Stage::reading)
        finish(fd);
      else
        forget(fd);
    }
  }

  [[nodiscard]] int wait_time() const {
    if (queue.empty() || queue.begin()->first == AnswerClock::time_point::max()) return -1;
    const auto left = queue.begin()->first - AnswerClock::now();
    const auto whole = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    return static_cast<int>(std::clamp<std::int64_t>(whole, 0, 1000));
  }

  void run(int stop) {
    if (!watch(stop)) return;
    std::array<epoll_event, 256> events;
    for (bool stopping = false; !stopping;) {
      const int count =
          epoll_wait(epoll.get(), events.data(), static_cast<int>(events.size()), wait_time());
      for (int i = 0; i < count; ++i) {
        const int fd = events[static_cast<std::size_t>(i)].data.fd;
        if (fd == stop)
          stopping = true;
        else if (fd == listener.get())
          accept_all();
        else
          on_readable(fd);
      }
      on_due();
    }
    finish_all();
  }

  // What waits in the backlog, and what is still being read, is recorded with what it has said.
  void finish_all() {
    for (std::size_t before = 0; before != log.count() + connections.size();) {
      before = log.count() + connections.size();
      accept_all();
    }
    std::vector<int> open;
    for (const auto& [fd, connection] : connections)
      if (connection.stage == Stage::reading) open.push_back(fd);
    for (const int fd : open) on_readable(fd);
    for (const int fd : open)
      if (const auto at = connections.find(fd);
          at != connections.end() && at->second.stage == Stage::reading)
        finish(fd);
    connections.clear();
    queue.clear();
  }
};

Answerer::Answerer(Scene& scene, const NameTable& names, AnswererPlan plan)
    : server_(std::make_unique<Server>(scene, names, std::move(plan))) {}
Answerer::~Answerer() = default;

Result<> Answerer::start(subject::Enclosure&) {
  auto& server = *server_;
  if (auto opened = server.open(); !opened) return opened;
  server.started = evidence::now();
  return server.thread.start(server.plan.side, [&server](int stop) { server.run(stop); });
}

std::string_view Answerer::expected() const {
  return "a caller connects by IPv4 and IPv6 and says a word that nobody knows, and a TLS hello; "
         "each is recorded with what was said";
}

void Answerer::ask(ControlRound& round) {
  auto& server = *server_;
  const auto probes = probes_of(server.plan.probes, server.scene);
  // Of a connection that is refused nothing is read: it is known by where it goes.
  const bool refusing = server.plan.mode == AnswerMode::refuse;
  conversations_.clear();
  const auto add = [&](const char* what, const Endpoint& to, const std::string& word) {
    const auto port = std::to_string(to.port);
    const bool hello = what == std::string_view("hello");
    conversations_.push_back({round.add(hello ? subject::Argv{what, to.address, port, word}
                                              : subject::Argv{what, "tcp", to.address, port, word}),
                              fmt::format("{} {}", what, to.address),
                              refusing ? to.address : word});
  };
  for (const auto& probe : probes) add("say", probe, make_nonce());
  add("hello", probes.front(), make_nonce() + ".example");
  std::set<std::string> marks;
  if (server.plan.tls != nullptr && server.plan.tls->on()) marks = tls_control_.ask(round, probes);
  for (const auto& conversation : conversations_) marks.insert(conversation.mark);
  if (server.plan.mode == AnswerMode::drop) drop_everything(server.listener.get(), false);
  server.log.expect(std::move(marks));
}

Proof Answerer::check(const ControlRound& round) {
  auto& server = *server_;
  const bool refusing = server.plan.mode == AnswerMode::refuse;
  Proof proof{"recorded"};
  const auto seen = server.log.wait_for_all();
  tls_control_.note(seen);
  for (const auto& [act, what, mark] : conversations_)
    if (const auto& said = round.said(act); !said.heard || (!said.done && !refusing))
      proof.wrong.push_back(fmt::format("{}: {}", what, said.text));
    else if (seen.count(mark) == 0)
      proof.wrong.push_back(fmt::format("{}: not recorded", what));
  server.log.expect({});
  if (server.plan.mode == AnswerMode::drop) drop_everything(server.listener.get(), true);
  return proof;
}

evidence::Control Answerer::check_tls(const std::string& when, const ControlRound& round) const {
  return tls_control_.check(when, round);
}

void Answerer::stop() {
  if (!server_->thread.running()) return;
  server_->thread.stop();
  server_->ended = evidence::now();
}

std::vector<Sighting> Answerer::sightings() const {
  return server_->log.all();
}

evidence::ObserverRecord Answerer::record() const {
  const bool dropping = server_->plan.mode == AnswerMode::drop;
  evidence::ObserverRecord record;
  record.name = "answerer";
  record.role = dropping ? evidence::Role::corroboration : evidence::Role::proof;
  record.sees = dropping ? "nothing but its controls: connections are dropped before it"
                         : "every TCP connection, where it was to go, and what it said first";
  record.misses = "what is no TCP; what a program would say later";
  record.started = server_->started;
  record.ended = server_->ended;
  record.lost = server_->log.lost();
  if (server_->ended) record.failure = server_->thread.failure();
  return record;
}

std::vector<evidence::Row> Answerer::rows(const evidence::HostStamp&) const {
  return {{"connections answered", static_cast<std::int64_t>(server_->log.count()), "",
           fmt::format("controls left out; answer mode {}", word_of(server_->plan.mode))}};
}

}  // namespace telltale::catcher
