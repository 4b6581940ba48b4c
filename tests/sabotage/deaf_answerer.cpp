// A connection that was redirected to the answerer is taken, closed, and never heard of.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dialled_port.hpp"
#include "preloaded.hpp"

extern "C" int accept4(int fd, sockaddr* peer, socklen_t* length, int flags) {
  using Accept = int (*)(int, sockaddr*, socklen_t*, int);
  const int accepted = next_function<Accept>("accept4")(fd, peer, length, flags);
  const bool to_answerer = accepted >= 0 && socket_option(fd, SOL_IP, IP_TRANSPARENT) != 0 &&
                           dialled_port(accepted) != 53;
  if (!to_answerer || !in_the_tool()) return accepted;
  close(accepted);
  errno = EAGAIN;
  return -1;
}
