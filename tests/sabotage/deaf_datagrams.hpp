// A packet that was redirected to the tool is read and thrown away.
#pragma once

#include <sys/socket.h>

#include "dialled_port.hpp"
#include "preloaded.hpp"

inline ssize_t receive_but(int fd, msghdr* message, int flags, bool (*deaf)(int port)) {
  using Receive = ssize_t (*)(int, msghdr*, int);
  const auto bytes = next_function<Receive>("recvmsg")(fd, message, flags);
  if (bytes < 0 || !in_the_tool()) return bytes;
  const int port = dialled_port(*message);
  if (port == 0 || !deaf(port)) return bytes;
  errno = EAGAIN;
  return -1;
}
