#include "subject/launch/free_ports.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace telltale::subject {

namespace {

// IPv6 and IPv4 in one socket; IPv4 alone where the machine has no IPv6. Port 0 becomes the one
// that the kernel chose.
bool bind_everywhere(Enclosure& enclosure, int type, std::uint16_t& port, FileDescriptor& held) {
  for (const int domain : {AF_INET6, AF_INET}) {
    auto socket = enclosure.socket(domain, type);
    if (!socket) continue;
    sockaddr_in6 six{};
    sockaddr_in four{};
    six.sin6_family = AF_INET6;
    six.sin6_port = four.sin_port = htons(port);
    four.sin_family = AF_INET;
    auto* address =
        domain == AF_INET6 ? reinterpret_cast<sockaddr*>(&six) : reinterpret_cast<sockaddr*>(&four);
    socklen_t size = domain == AF_INET6 ? sizeof six : sizeof four;
    const int off = 0;
    if (domain == AF_INET6) setsockopt(socket->get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(socket->get(), address, size) != 0) {
      if (errno == EADDRINUSE) return false;
      continue;
    }
    getsockname(socket->get(), address, &size);
    port = ntohs(domain == AF_INET6 ? six.sin6_port : four.sin_port);
    held = std::move(*socket);
    return true;
  }
  return false;
}

}  // namespace

Result<std::vector<std::uint16_t>> free_ports(Enclosure& enclosure, std::size_t count) {
  constexpr int kTries = 100;  // a port may be free for TCP and taken for UDP
  std::vector<FileDescriptor> held;
  std::vector<std::uint16_t> ports;
  for (int tries = 0; ports.size() < count && tries < kTries + static_cast<int>(count); ++tries) {
    std::uint16_t port = 0;
    FileDescriptor tcp, udp;
    if (!bind_everywhere(enclosure, SOCK_STREAM, port, tcp)) continue;
    const bool both = bind_everywhere(enclosure, SOCK_DGRAM, port, udp);
    held.push_back(std::move(tcp));
    held.push_back(std::move(udp));
    if (both) ports.push_back(port);
  }
  if (ports.size() == count) return ports;
  return fail(Fault::instrument, "the kernel gave no free port", "close programs that hold ports");
}

}  // namespace telltale::subject
