// The kernel's messages of closed sockets are read and thrown away.
#include <linux/netlink.h>
#include <sys/socket.h>

#include "preloaded.hpp"

extern "C" ssize_t recv(int fd, void* buffer, std::size_t size, int flags) {
  using Receive = ssize_t (*)(int, void*, std::size_t, int);
  const auto bytes = next_function<Receive>("recv")(fd, buffer, size, flags);
  const bool diagnostics = socket_option(fd, SOL_SOCKET, SO_DOMAIN) == AF_NETLINK &&
                           socket_option(fd, SOL_SOCKET, SO_PROTOCOL) == NETLINK_SOCK_DIAG;
  if (bytes <= 0 || !diagnostics || !in_the_tool()) return bytes;
  errno = EAGAIN;
  return -1;
}
