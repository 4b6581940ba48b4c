// The ways to ask whether a subject is ready. A new one: a kind in Readiness, a probe and a line in
// make_probe here.
#include <sys/socket.h>

#include <cstring>

#include "subject/doors/ports.hpp"
#include "subject/readiness.hpp"
#include "subject/wire/deadline.hpp"
#include "subject/wire/endpoint.hpp"

namespace telltale::subject {

namespace {

// HTTP and commands: what a door of that kind calls good (2xx, exit status 0).
class DoorProbe final : public Probe {
 public:
  DoorProbe(Step step, std::unique_ptr<Door> door, const ReadinessContext& context)
      : step_(std::move(step)), door_(std::move(door)), context_(context) {}

  Result<> ask(Milliseconds limit) override {
    const auto answer = door_->call(limit);
    if (!answer) return pass_on(answer.error());
    const auto met = meets(step_, step_.expect, *answer);
    return met ? context_.check(door_->peer()) : met;
  }

 private:
  Step step_;
  std::unique_ptr<Door> door_;
  const ReadinessContext& context_;
};

// Nobody listens, and the kernel chose the very port that is asked as the asking one: TCP then
// opens from both sides (RFC 9293, 3.5).
bool connected_to_itself(int socket) {
  sockaddr_storage own{}, peer{};
  socklen_t own_size = sizeof own, peer_size = sizeof peer;
  getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_size);
  getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &peer_size);
  return own.ss_family != AF_UNIX && own_size == peer_size &&
         std::memcmp(&own, &peer, own_size) == 0;
}

// TCP and unix sockets: a connection is accepted; it is closed without a byte.
class ConnectProbe final : public Probe {
 public:
  ConnectProbe(Endpoint endpoint, const ReadinessContext& context)
      : endpoint_(std::move(endpoint)), context_(context) {}

  Result<> ask(Milliseconds limit) override {
    const Deadline deadline(limit, context_.door.interrupt_fd);
    auto connected = connect_to(context_.door.enclosure, endpoint_, deadline);
    if (!connected) return pass_on(std::move(connected.error()));
    if (connected_to_itself(connected->socket.get()))
      return fail(Fault::subject, endpoint_.text() + " is not listened on yet");
    return context_.check(connected->peer);
  }

 private:
  Endpoint endpoint_;
  const ReadinessContext& context_;
};

class NotifyProbe final : public Probe {
 public:
  explicit NotifyProbe(NotifySocket& socket) : socket_(socket) {}

  Result<> ask(Milliseconds) override {
    if (socket_.ready()) return {};
    return fail(Fault::subject, socket_.status().empty()
                                    ? "it has not sent READY=1 to NOTIFY_SOCKET"
                                    : "its last STATUS was: " + socket_.status());
  }
  [[nodiscard]] int fd() const override { return socket_.fd(); }

 private:
  NotifySocket& socket_;
};

using MadeProbe = Result<std::unique_ptr<Probe>>;

MadeProbe door_probe(Call call, const ReadinessContext& context) {
  Step step;
  step.name = "readiness";
  step.call = std::move(call);
  auto door = open_door(step, context.door);
  if (!door) return pass_on(std::move(door.error()));
  if (auto prepared = (*door)->prepare(context.variables); !prepared)
    return pass_on(std::move(prepared.error()));
  return std::make_unique<DoorProbe>(std::move(step), std::move(*door), context);
}

MadeProbe http_probe(const std::string& url, const ReadinessContext& context) {
  HttpCall call;
  call.url = url;
  return door_probe(std::move(call), context);
}

MadeProbe tcp_probe(const Readiness& readiness, const ReadinessContext& context) {
  const auto port = port_number(readiness.target, context.variables);
  if (!port) return pass_on(port.error());
  const auto host = readiness.address.empty() ? std::string("localhost") : readiness.address;
  return std::make_unique<ConnectProbe>(Endpoint{host, *port, {}}, context);
}

MadeProbe unix_probe(const std::string& target, const ReadinessContext& context) {
  auto path = context.variables.expand(target);
  if (!path) return pass_on(std::move(path.error()));
  return std::make_unique<ConnectProbe>(Endpoint{{}, 0, std::move(*path)}, context);
}

}  // namespace

MadeProbe make_probe(const Readiness& readiness, const ReadinessContext& context) {
  switch (readiness.kind) {
    case Readiness::Kind::none:
      return nullptr;
    case Readiness::Kind::http:
      return http_probe(readiness.target, context);
    case Readiness::Kind::exec:
      return door_probe(ExecCall{readiness.command, {}}, context);
    case Readiness::Kind::tcp:
      return tcp_probe(readiness, context);
    case Readiness::Kind::unix_socket:
      return unix_probe(readiness.target, context);
    case Readiness::Kind::notify:
      if (context.notify == nullptr)
        return fail(Fault::instrument, "the tool opened no notify socket");
      return std::make_unique<NotifyProbe>(*context.notify);
  }
  return nullptr;
}

}  // namespace telltale::subject
