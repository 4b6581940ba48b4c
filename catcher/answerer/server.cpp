#include "catcher/answerer/server.hpp"

#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace telltale::catcher {

namespace {

constexpr int kAcceptBatch = 256;  // before the open connections have a turn

void reset_on_close(int socket) {
  const linger at_once{1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

// A handshake, the settings of HTTP/2: few bytes into the empty buffer of a new connection: it
// takes them, or is gone.
void send_now(int fd, const std::string& bytes) {
  if (!bytes.empty()) ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

}  // namespace

AnswerServer::AnswerServer(Scene& scene, const NameTable& names, AnswererPlan plan)
    : scene_(scene), names_(names), plan_(std::move(plan)), owner_(scene) {}

Result<> AnswerServer::start() {
  auto copy = duplicate(plan_.tcp, "the answerer");
  if (!copy) return pass_on(std::move(copy.error()));
  listener_ = std::move(*copy);
  epoll_ = subject::FileDescriptor(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.valid() || !watch(listener_.get()))
    return fail(Fault::instrument, "the answerer never started: no epoll",
                "raise the limit of open files (ulimit -n)");
  if (plan_.mode == AnswerMode::drop) drop_everything(true);
  if (auto opened = plan_.side.in_subject([this] { return owner_.open(); }); !opened) return opened;
  return thread_.start(plan_.side, [this](int stop) { run(stop); });
}

// The filter of the socket lets nothing pass.
void AnswerServer::drop_everything(bool on) const {
  sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
  sock_fprog program{1, &nothing};
  const int unused = 0;
  if (on)
    setsockopt(listener_.get(), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
  else
    setsockopt(listener_.get(), SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}

bool AnswerServer::watch(int fd, int how, std::uint32_t events) const {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  return epoll_ctl(epoll_.get(), how, fd, &event) == 0;
}

bool AnswerServer::watch(int fd) const {
  return watch(fd, EPOLL_CTL_ADD, EPOLLIN);
}

void AnswerServer::run(int stop) {
  if (!watch(stop)) return;
  std::array<epoll_event, 256> events;
  for (bool stopping = false; !stopping;) {
    const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                 connections_.wait_time());
    for (int i = 0; i < count; ++i) {
      const auto& [what, data] = events[static_cast<std::size_t>(i)];
      if (data.fd == stop)
        stopping = true;
      else if (data.fd == listener_.get())
        accept_all();
      else if ((what & EPOLLOUT) != 0)
        on_writable(data.fd);
      else
        on_readable(data.fd);
    }
    on_due();
  }
  finish_all();
}

// --- from the first byte to the sighting

void AnswerServer::accept_all() {
  for (int i = 0; i < kAcceptBatch; ++i) {
    sockaddr_storage peer{}, here{};
    socklen_t length = sizeof peer;
    subject::FileDescriptor socket(accept4(listener_.get(), reinterpret_cast<sockaddr*>(&peer),
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

void AnswerServer::begin(subject::FileDescriptor socket, Endpoint peer, Endpoint here) {
  if (connections_.full()) make_room();
  const int fd = socket.get();
  auto dialled = plan_.side.destination_of(peer, false).value_or(here);
  CaughtConnection connection{std::move(socket),
                              std::move(peer),
                              std::move(here),
                              std::move(dialled),
                              evidence::now(),
                              scene_.moment(),
                              {}};
  connection.program = owner_.find(IPPROTO_TCP, connection.peer, connection.here);
  if (plan_.mode == AnswerMode::refuse &&
      !plays_for({host_of(connection), connection.dialled.port}, plan_)) {
    record(connection, {}, {});
    reset_on_close(fd);
    return;
  }
  auto& kept = connections_.add(std::move(connection));
  connections_.enter(kept, AnswerStage::reading, AnswerClock::now() + Answerer::kPatience);
  if (!watch(fd)) finish(kept);
}

// The oldest of those that have had the most time.
void AnswerServer::make_room() {
  const auto fd = connections_.first();
  if (!fd) return;
  auto& connection = *connections_.find(*fd);
  if (connection.stage == AnswerStage::reading) finish(connection);
  connections_.forget(*fd);
}

void AnswerServer::on_readable(int fd) {
  auto* connection = connections_.find(fd);
  if (connection == nullptr) return;
  std::array<std::uint8_t, 16 * 1024> part;
  const auto bytes = recv(fd, part.data(), part.size(), 0);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
  // It says no more, and still waits for the rest of its answer.
  if (bytes == 0 && connection->stage == AnswerStage::answering) {
    watch(fd, EPOLL_CTL_MOD, EPOLLOUT);
    return;
  }
  if (bytes <= 0) {
    if (connection->secured) connection->secured->peer_closed();
    if (connection->stage == AnswerStage::reading) finish(*connection, true);
    connections_.forget(fd);
    return;
  }
  const auto heard = wire::Bytes(part).first(static_cast<std::size_t>(bytes));
  if (connection->stage == AnswerStage::reading) connection->payload += heard.size();
  if (connection->secured)
    look_into(*connection, connection->secured->receive(heard));
  else
    look_into(*connection, heard);
  if (connection->stage != AnswerStage::reading) return;
  if (!connection->secured) {
    auto& flight = connection->flight;
    const auto room = std::min(heard.size(), Answerer::kFirstFlight - flight.size());
    flight.insert(flight.end(), heard.begin(), heard.begin() + static_cast<std::ptrdiff_t>(room));
  }
  on_flight(*connection);
}

void AnswerServer::look_into(CaughtConnection& connection, wire::Bytes said) {
  if (plan_.sent == nullptr || said.empty()) return;
  plan_.sent->feed(connection.sent, wire::as_text(said),
                   {"answerer", "tcp", host_of(connection), connection.dialled.port,
                    connection.program.executable});
}

void AnswerServer::on_flight(CaughtConnection& connection) {
  auto flight = connection.first_flight();
  if (flight.tls == TlsPayload::unseen && flight.complete && answer_hello(connection))
    flight = connection.first_flight();
  if (connection.secured) send_now(connection.socket.get(), connection.secured->take_output());
  if (flight.http2_preface && !connection.settings_sent) {
    connection.settings_sent = true;
    send_now(connection.socket.get(), connection.in_its_terms(http2_settings()));
  }
  if (flight.complete || connection.said().size() >= Answerer::kFirstFlight)
    return finish(connection);
  if (!flight.known) connections_.schedule(connection, AnswerClock::now() + Answerer::kQuiet);
}

// True when TLS is read, from here on.
bool AnswerServer::answer_hello(CaughtConnection& connection) {
  if (plan_.tls == nullptr || connection.secured) return false;
  connection.secured = plan_.tls->secure(host_of(connection), connection.flight);
  if (!connection.secured) return false;
  connection.flight = {};
  connections_.enter(connection, AnswerStage::reading, AnswerClock::now() + Answerer::kSecured);
  return true;
}

std::string AnswerServer::host_of(const CaughtConnection& connection) const {
  const auto& address = connection.dialled.address;
  return names_.name_of(address).value_or(address);
}

void AnswerServer::on_due() {
  const auto now = AnswerClock::now();
  while (const auto fd = connections_.first_due(now)) {
    auto& connection = *connections_.find(*fd);
    if (connection.stage == AnswerStage::reading)
      finish(connection);
    else
      connections_.forget(*fd);
  }
}

// What waits in the backlog, and what is still being read, is recorded with what it has said.
void AnswerServer::finish_all() {
  for (std::size_t before = 0; before != log_.count() + connections_.size();) {
    before = log_.count() + connections_.size();
    accept_all();
  }
  const auto open = connections_.being_read();
  for (const int fd : open) on_readable(fd);
  for (const int fd : open)
    if (auto* connection = connections_.find(fd);
        connection != nullptr && connection->stage == AnswerStage::reading)
      finish(*connection);
  connections_.clear();
}

}  // namespace telltale::catcher
