#include "catcher/stimuli.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

namespace {

struct Peer {
  sockaddr_storage storage{};
  socklen_t length = 0;
  [[nodiscard]] const sockaddr* address() const {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
};

bool parse_port(const std::string& text, std::uint16_t& port) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), port);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
}

bool parse_peer(const std::string& address, std::uint16_t port, Peer& peer) {
  auto* four = reinterpret_cast<sockaddr_in*>(&peer.storage);
  auto* six = reinterpret_cast<sockaddr_in6*>(&peer.storage);
  if (inet_pton(AF_INET, address.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    peer.length = sizeof *four;
  } else if (inet_pton(AF_INET6, address.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    peer.length = sizeof *six;
  }
  return peer.length != 0;
}

int local_port_of(const subject::FileDescriptor& socket) {
  Peer own;
  own.length = sizeof own.storage;
  if (getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own.storage), &own.length) != 0)
    return 0;
  // The port is at the same place in both families.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&own.storage)->sin_port);
}

Told connect_tcp(const Peer& peer) {
  const subject::FileDescriptor socket(
      ::socket(peer.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return failed_with_errno();
  // Bound first: a refused connection has no local port any more.
  Peer own;
  own.storage.ss_family = peer.storage.ss_family;
  own.length = peer.length;
  if (bind(socket.get(), own.address(), own.length) != 0) return failed_with_errno();
  const int port = local_port_of(socket);
  if (connect(socket.get(), peer.address(), peer.length) != 0) {
    if (errno != ECONNREFUSED && errno != ECONNRESET) return failed_with_errno();
    return {true, fmt::format("refused {}", port)};
  }
  return {true, fmt::format("connected {}", port)};
}

Told send_udp(const Peer& peer, const std::string& text) {
  const subject::FileDescriptor socket(
      ::socket(peer.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid() || sendto(socket.get(), text.data(), text.size(), 0, peer.address(),
                                peer.length) != static_cast<ssize_t>(text.size()))
    return failed_with_errno();
  return {true, fmt::format("sent {}", local_port_of(socket))};
}

Told connect_udp(const Peer& peer) {
  const subject::FileDescriptor socket(
      ::socket(peer.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid() || connect(socket.get(), peer.address(), peer.length) != 0)
    return failed_with_errno();
  return {true, fmt::format("connected {}", local_port_of(socket))};
}

Told send_ping(const Peer& peer, const std::string& text) {
  const bool six = peer.storage.ss_family == AF_INET6;
  const subject::FileDescriptor socket(::socket(peer.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC,
                                                six ? int{IPPROTO_ICMPV6} : int{IPPROTO_ICMP}));
  std::string packet(8, '\0');
  packet[0] = static_cast<char>(six ? ICMP6_ECHO_REQUEST : ICMP_ECHO);
  packet += text;
  if (!socket.valid() || sendto(socket.get(), packet.data(), packet.size(), 0, peer.address(),
                                peer.length) != static_cast<ssize_t>(packet.size()))
    return failed_with_errno();
  return {true, "sent 0"};
}

Told connect_unix(const std::string& path) {
  const subject::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return failed_with("the path is too long");
  std::memcpy(address.sun_path, path.c_str(), path.size());
  if (!socket.valid() ||
      connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return failed_with_errno();
  return {true, "connected 0"};
}

}  // namespace

std::string stimuli_usage() {
  return "tcp ADDRESS PORT | udp ADDRESS PORT TEXT | udp-connect ADDRESS PORT | "
         "ping ADDRESS TEXT | unix PATH";
}

std::optional<Told> stimulate(const Words& words) {
  const auto& act = words.empty() ? std::string() : words[0];
  if (act == "unix" && words.size() == 2) return connect_unix(words[1]);
  Peer peer;
  std::uint16_t port = 0;
  if (words.size() < 3 || !parse_peer(words[1], 0, peer)) return std::nullopt;
  if (act == "ping" && words.size() == 3) return send_ping(peer, words[2]);
  if (!parse_port(words[2], port)) return std::nullopt;
  parse_peer(words[1], port, peer);
  if (act == "tcp" && words.size() == 3) return connect_tcp(peer);
  if (act == "udp-connect" && words.size() == 3) return connect_udp(peer);
  if (act == "udp" && words.size() == 4) return send_udp(peer, words[3]);
  return std::nullopt;
}

}  // namespace telltale::catcher
