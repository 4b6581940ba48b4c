// Sockets of loopback in place of the world's, and clients of them.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catcher/serving.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::test {

using catcher::Endpoint;
using subject::FileDescriptor;

// Dual stack, on a port of the kernel's choice (0) or a given one, with the options of the world's
// sockets.
struct Loopback {
  explicit Loopback(int type, std::uint16_t wanted = 0)
      : socket(::socket(AF_INET6, type | SOCK_CLOEXEC, 0)) {
    const int zero = 0, one = 1;
    setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
    setsockopt(socket.get(), SOL_IP, IP_RECVORIGDSTADDR, &one, sizeof one);
    setsockopt(socket.get(), SOL_IPV6, IPV6_RECVORIGDSTADDR, &one, sizeof one);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(wanted);
    socklen_t length = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket.get(), generic, length) != 0 ||
        getsockname(socket.get(), generic, &length) != 0 ||
        (type == SOCK_STREAM && listen(socket.get(), 4096) != 0))
      throw std::runtime_error("no socket on loopback");
    port = ntohs(address.sin6_port);
  }
  [[nodiscard]] catcher::SocketSource source() const {
    return [fd = socket.get()] { return fd; };
  }

  FileDescriptor socket;
  std::uint16_t port = 0;
};

class Client {
 public:
  Client(int type, const Endpoint& to) {
    sockaddr_storage address{};
    socklen_t length = 0;
    if (!catcher::to_address(to, false, address, length)) throw std::runtime_error("no address");
    socket = FileDescriptor(::socket(address.ss_family, type | SOCK_CLOEXEC, 0));
    const timeval limit{10, 0};
    setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    connected = connect(socket.get(), reinterpret_cast<sockaddr*>(&address), length) == 0;
  }

  void send(std::span<const std::uint8_t> bytes) const {
    ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  void send(const std::string& text) const {
    ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
  }
  // One read; empty at the end, with errno of the read in `error`.
  std::vector<std::uint8_t> hear() {
    std::array<std::uint8_t, 4096> part{};
    const auto bytes = recv(socket.get(), part.data(), part.size(), 0);
    error = bytes < 0 ? errno : 0;
    return {part.begin(), part.begin() + std::max<ssize_t>(bytes, 0)};
  }
  std::string hear_all() {
    std::string all;
    for (auto part = hear(); !part.empty(); part = hear()) all.append(part.begin(), part.end());
    return all;
  }

  FileDescriptor socket;
  bool connected = false;
  int error = 0;
};

// Waits for a condition that another thread brings about.
inline bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace telltale::test
