// The sampler's dumps are empty: libmnl ends every run over received sockets at once.
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>

#include <cstddef>

#include "preloaded.hpp"

using Callback = int (*)(const nlmsghdr*, void*);

extern "C" int mnl_cb_run(const void* buffer, std::size_t size, unsigned sequence, unsigned port,
                          Callback callback, void* data) {
  using Run = int (*)(const void*, std::size_t, unsigned, unsigned, Callback, void*);
  const auto type = static_cast<const nlmsghdr*>(buffer)->nlmsg_type;
  if (type == SOCK_DIAG_BY_FAMILY || type == TCPDIAG_GETSOCK) return 0;  // MNL_CB_STOP
  return next_function<Run>("mnl_cb_run")(buffer, size, sequence, port, callback, data);
}
