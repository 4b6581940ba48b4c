// No question that comes by UDP reaches the resolver.
#include "deaf_datagrams.hpp"

extern "C" ssize_t recvmsg(int fd, msghdr* message, int flags) {
  return receive_but(fd, message, flags, [](int port) { return port == 53; });
}
