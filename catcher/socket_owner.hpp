// Which process holds a socket: /proc/PID/fd (proc(5)), joined by inode.
// What it does not see: subject/socket_inodes.hpp.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "subject/process_tree.hpp"

namespace telltale::catcher {

using subject::executable_of;

// Inode -> first process of `processes` that holds it; only sockets. Processes that this user may
// not look into are added to `unreadable`.
[[nodiscard]] std::unordered_map<std::uint32_t, pid_t> socket_owners(
    const std::vector<pid_t>& processes, std::set<pid_t>* unreadable = nullptr);

}  // namespace telltale::catcher
