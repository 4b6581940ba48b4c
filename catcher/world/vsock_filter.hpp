// A seccomp filter that refuses the one family of sockets that leaves a network namespace: AF_VSOCK
// reaches the hypervisor (vsock(7)), and namespaces do not cover it. socket(2) gives EAFNOSUPPORT,
// as on a kernel without it.
//
// Not covered: 32-bit programs on a 64-bit kernel. Theirs is socketcall(2), whose arguments are in
// memory, where a filter cannot read; to refuse it whole would silence every 32-bit subject.
#pragma once

#include <linux/filter.h>

#include <vector>

#include "evidence/result.hpp"

namespace telltale::catcher {

// Made by libseccomp, for the native architecture.
[[nodiscard]] Result<std::vector<sock_filter>> vsock_filter();

// In a child: a system call only. Needs CAP_SYS_ADMIN in the user namespace at hand, or
// no_new_privs. 0, or an errno.
[[nodiscard]] int install_filter(const std::vector<sock_filter>& filter);

}  // namespace telltale::catcher
