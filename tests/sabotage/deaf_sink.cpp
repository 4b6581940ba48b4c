// No packet reaches the sink of datagrams; questions do reach the resolver.
#include "deaf_datagrams.hpp"

extern "C" ssize_t recvmsg(int fd, msghdr* message, int flags) {
  return receive_but(fd, message, flags, [](int port) { return port != 53; });
}
