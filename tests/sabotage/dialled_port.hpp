// Every socket of the world that is redirected to listens at a port of its own: what was dialled is
// said by the accepted connection (getsockname) and with each packet (IP_ORIGDSTADDR).
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

inline int port_in(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port);
  return 0;
}

inline int dialled_port(int connection) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  return getsockname(connection, reinterpret_cast<sockaddr*>(&own), &size) == 0 ? port_in(own) : 0;
}

// 0: the packet was not redirected.
inline int dialled_port(msghdr& packet) {
  sockaddr_storage dialled{};
  for (auto* part = CMSG_FIRSTHDR(&packet); part != nullptr; part = CMSG_NXTHDR(&packet, part)) {
    if (part->cmsg_level == SOL_IP && part->cmsg_type == IP_ORIGDSTADDR)
      std::memcpy(&dialled, CMSG_DATA(part), sizeof(sockaddr_in));
    if (part->cmsg_level == SOL_IPV6 && part->cmsg_type == IPV6_ORIGDSTADDR)
      std::memcpy(&dialled, CMSG_DATA(part), sizeof(sockaddr_in6));
  }
  return port_in(dialled);
}
