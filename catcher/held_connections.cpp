#include "catcher/held_connections.hpp"

#include <fmt/core.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <deque>
#include <thread>

#include "catcher/serving.hpp"

namespace telltale::catcher {

namespace {

using BurstClock = std::chrono::steady_clock;

struct Connected {
  subject::FileDescriptor socket;  // invalid: errno says why
  std::uint16_t local_port = 0;
};

// Loopback, or the world's own address: connecting does not block for long.
Connected connect_to(const std::string& address, std::uint16_t port) {
  sockaddr_storage peer{}, own{};
  socklen_t length = 0;
  errno = EINVAL;
  if (!to_address({address, port}, false, peer, length)) return {};
  subject::FileDescriptor socket(::socket(peer.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.valid() || connect(socket.get(), reinterpret_cast<sockaddr*>(&peer), length) != 0)
    return {};
  length = sizeof own;
  getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &length);
  return {std::move(socket), endpoint_of(own).port};
}

}  // namespace

void hold_connection(const std::string& address, std::uint16_t port, const Tell& tell) {
  const auto held = connect_to(address, port);
  if (!held.socket.valid()) return tell(failed_with_errno());
  tell({true, fmt::format("held {}", held.local_port)});
  std::array<char, 64> buffer{};
  while (read(held.socket.get(), buffer.data(), buffer.size()) > 0) {
  }
}

Told burst_connections(const std::string& address, std::uint16_t port, int count,
                       int milliseconds) {
  const auto begin = BurstClock::now();
  std::deque<std::pair<BurstClock::time_point, subject::FileDescriptor>> open;
  const auto close_until = [&](BurstClock::time_point last) {
    for (; !open.empty() && open.front().first <= last; open.pop_front())
      std::this_thread::sleep_until(open.front().first);
    std::this_thread::sleep_until(last);
  };
  Told told{true, {}};
  for (int i = 0; i < count; ++i) {
    close_until(begin + std::chrono::milliseconds(i));
    auto made = connect_to(address, port);
    if (!made.socket.valid()) return failed_with_errno();
    told.text += fmt::format("{}{}", i == 0 ? "" : " ", made.local_port);
    open.emplace_back(BurstClock::now() + std::chrono::milliseconds(milliseconds),
                      std::move(made.socket));
  }
  if (!open.empty()) close_until(open.back().first);
  return told;
}

}  // namespace telltale::catcher
