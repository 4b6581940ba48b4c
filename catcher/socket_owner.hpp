// Which process holds a socket: /proc/PID/fd (proc(5)), joined by inode.
//
// It does not see: a descriptor in flight over SCM_RIGHTS, a process that ended meanwhile, and a
// process whose /proc/PID/fd this user may not read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace telltale::catcher {

// Inode -> first process of `processes` that holds it; only sockets.
[[nodiscard]] std::unordered_map<std::uint32_t, pid_t> socket_owners(
    const std::vector<pid_t>& processes);

// The path of the program that a process runs; empty when it is gone.
[[nodiscard]] std::string executable_of(pid_t pid);

}  // namespace telltale::catcher
