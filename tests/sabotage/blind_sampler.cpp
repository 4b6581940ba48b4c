// The sampler's dumps are empty: libmnl ends every run over received sockets at once.
#include <linux/netlink.h>
#include <linux/sock_diag.h>

#include <cstddef>

#include "preloaded.hpp"

using Callback = int (*)(const nlmsghdr*, void*);

extern "C" int mnl_cb_run(const void* buffer, std::size_t size, unsigned sequence, unsigned port,
                          Callback callback, void* data) {
  using Run = int (*)(const void*, std::size_t, unsigned, unsigned, Callback, void*);
  if (static_cast<const nlmsghdr*>(buffer)->nlmsg_type == SOCK_DIAG_BY_FAMILY)
    return 0;  // MNL_CB_STOP
  return next_function<Run>("mnl_cb_run")(buffer, size, sequence, port, callback, data);
}
