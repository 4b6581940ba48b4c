#include "catcher/world/redirected_sockets.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <string>

namespace telltale::catcher {

namespace {

// What the kernel may hold for a socket until its server comes to read.
constexpr int kReceiveBuffer = 4 << 20;
constexpr int kBacklog = 65535;  // the kernel cuts it to net.core.somaxconn

bool turn_on(int socket, int level, std::initializer_list<int> options) {
  const int one = 1;
  for (const int option : options)
    if (setsockopt(socket, level, option, &one, sizeof one) != 0) return false;
  return true;
}

bool set_options(int socket, int type) {
  const int zero = 0;
  if (setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero) != 0) return false;
  if (!turn_on(socket, SOL_SOCKET, {SO_REUSEADDR})) return false;
  if (!turn_on(socket, IPPROTO_IPV6, {IPV6_TRANSPARENT})) return false;
  if (!turn_on(socket, IPPROTO_IP, {IP_TRANSPARENT})) return false;
  if (type == SOCK_STREAM) return true;
  // FORCE needs CAP_NET_ADMIN over the machine: an ordinary user gets up to net.core.rmem_max.
  if (setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBuffer, sizeof kReceiveBuffer) != 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  return turn_on(socket, IPPROTO_IP, {IP_RECVORIGDSTADDR, IP_PKTINFO}) &&
         turn_on(socket, IPPROTO_IPV6, {IPV6_RECVORIGDSTADDR, IPV6_RECVPKTINFO});
}

Result<subject::FileDescriptor> open_redirected(int type, std::uint16_t& port) {
  subject::FileDescriptor made(socket(AF_INET6, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (!made.valid() || !set_options(made.get(), type) || bind(made.get(), generic, size) != 0 ||
      (type == SOCK_STREAM && listen(made.get(), kBacklog) != 0) ||
      getsockname(made.get(), generic, &size) != 0)
    return fail(
        Fault::instrument,
        std::string("the sealed world cannot be made: a redirected socket: ") + strerror(errno),
        "the kernel needs IPv6 and transparent sockets (modprobe ipv6 nft_tproxy)");
  port = ntohs(address.sin6_port);
  return made;
}

}  // namespace

Result<RedirectedSockets> open_redirected_sockets(RedirectedPorts& ports) {
  RedirectedSockets sockets;
  struct Wanted {
    subject::FileDescriptor& socket;
    int type;
    std::uint16_t& port;
  };
  for (auto& wanted : {Wanted{sockets.tcp, SOCK_STREAM, ports.tcp},
                       Wanted{sockets.dns_tcp, SOCK_STREAM, ports.dns_tcp},
                       Wanted{sockets.dns_udp, SOCK_DGRAM, ports.dns_udp},
                       Wanted{sockets.udp, SOCK_DGRAM, ports.udp}}) {
    auto opened = open_redirected(wanted.type, wanted.port);
    if (!opened) return pass_on(std::move(opened.error()));
    wanted.socket = std::move(*opened);
  }
  return sockets;
}

}  // namespace telltale::catcher
