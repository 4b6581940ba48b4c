// The sockets that a process holds: the links "socket:[4711]" of /proc/PID/fd (proc(5)).
//
// Not seen: a descriptor in flight over SCM_RIGHTS, and those of a process that ended meanwhile or
// whose /proc/PID/fd this user may not read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace telltale::subject {

[[nodiscard]] std::vector<std::uint64_t> socket_inodes(pid_t pid);

}  // namespace telltale::subject
