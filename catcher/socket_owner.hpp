// Which process holds a socket: /proc/PID/fd (proc(5)), joined by inode.
// What it does not see: subject/socket_inodes.hpp.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "subject/process_tree.hpp"

namespace telltale::catcher {

using subject::executable_of;

// Inode -> first process of `processes` that holds it; only sockets.
[[nodiscard]] std::unordered_map<std::uint32_t, pid_t> socket_owners(
    const std::vector<pid_t>& processes);

}  // namespace telltale::catcher
