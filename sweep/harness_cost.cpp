#include "sweep/harness_cost.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string_view>
#include <thread>

#include "subject/doors/door.hpp"
#include "sweep/per_call.hpp"

namespace telltale::sweep {

namespace {

constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

std::int64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                              start)
      .count();
}

bool send_all(int fd, std::string_view bytes) {
  return send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

// Answers every read with the same bytes, on its own thread, one connection at a time each: both
// figures come from connections that are open at once, so each has a thread.
class DoNothingServer {
 public:
  explicit DoNothingServer(subject::Listener listener) : listener_(std::move(listener)) {}
  ~DoNothingServer() {
    for (auto& thread : threads_) thread.join();
  }

  // The next connection, which a client is about to make, is served until it closes.
  void serve_one() {
    threads_.emplace_back([fd = listener_.socket.get()] { serve(fd); });
  }
  [[nodiscard]] const subject::Listener& listener() const { return listener_; }

 private:
  static void serve(int listener) {
    constexpr int kPatienceMs = 5'000;
    pollfd waiting{listener, POLLIN, 0};
    if (poll(&waiting, 1, kPatienceMs) <= 0) return;
    const subject::FileDescriptor client(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    const int on = 1;
    setsockopt(client.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::array<char, 4096> buffer{};
    while (recv(client.get(), buffer.data(), buffer.size(), 0) > 0)
      if (!send_all(client.get(), kAnswer)) return;
  }

  subject::Listener listener_;
  std::vector<std::thread> threads_;
};

Result<subject::FileDescriptor> dial(subject::Enclosure& enclosure, const subject::Listener& to) {
  auto socket = enclosure.socket(AF_INET, SOCK_STREAM);
  if (!socket) return socket;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(to.port);
  inet_pton(AF_INET, to.address.c_str(), &address.sin_addr);
  const int on = 1;
  setsockopt(socket->get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(socket->get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return fail(Fault::instrument, "the do-nothing server cannot be reached on loopback");
  return socket;
}

Result<std::int64_t> bare_round_trip(int fd) {
  std::array<char, 4096> buffer{};
  const auto start = std::chrono::steady_clock::now();
  if (!send_all(fd, kRequest) || recv(fd, buffer.data(), buffer.size(), 0) <= 0)
    return fail(Fault::instrument, "the do-nothing server closed its connection");
  return nanoseconds_since(start);
}

Result<std::unique_ptr<subject::Door>> open_http_door(subject::Enclosure& enclosure,
                                                      const subject::Listener& to) {
  subject::Step step;
  step.name = "do-nothing server";
  subject::HttpCall call;
  call.url = fmt::format("http://{}:{}/", to.address, to.port);
  step.call = std::move(call);
  auto door = subject::open_door(step, {enclosure, {}, {}, {}});
  if (!door) return door;
  if (auto ready = (*door)->prepare({}); !ready) return pass_on(std::move(ready.error()));
  return door;
}

Result<std::int64_t> door_call(subject::Door& door) {
  const auto start = std::chrono::steady_clock::now();
  auto answer = door.call(subject::Milliseconds(5'000));
  const auto taken = nanoseconds_since(start);
  if (!answer) return pass_on(std::move(answer.error()));
  return taken;
}

}  // namespace

Result<HarnessCost> measure_harness(subject::Enclosure& enclosure, int calls) {
  auto listener = enclosure.listen();
  if (!listener) return pass_on(std::move(listener.error()));
  DoNothingServer server(std::move(*listener));
  server.serve_one();
  auto bare = dial(enclosure, server.listener());
  if (!bare) return pass_on(std::move(bare.error()));
  if (auto first = bare_round_trip(bare->get()); !first) return pass_on(std::move(first.error()));
  server.serve_one();
  auto door = open_http_door(enclosure, server.listener());
  if (!door) return pass_on(std::move(door.error()));
  if (auto first = door_call(**door); !first) return pass_on(std::move(first.error()));
  Nanoseconds bare_calls;
  Nanoseconds door_calls;
  for (int i = 0; i < calls; ++i) {
    auto one = bare_round_trip(bare->get());
    auto other = door_call(**door);
    if (!one) return pass_on(std::move(one.error()));
    if (!other) return pass_on(std::move(other.error()));
    bare_calls.push_back(*one);
    door_calls.push_back(*other);
  }
  return HarnessCost{quantile(bare_calls, 0.5), quantile(door_calls, 0.5), calls};
}

}  // namespace telltale::sweep
