// The sockets that a process holds: the links "socket:[4711]" of /proc/PID/fd (proc(5)).
//
// Not seen: a descriptor in flight over SCM_RIGHTS, and those of a process that ended meanwhile or
// whose /proc/PID/fd this user may not read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace telltale::subject {

struct HeldSockets {
  std::vector<std::uint64_t> inodes;
  bool readable = true;  // false: the process is there, and this user may not look
};
[[nodiscard]] HeldSockets held_sockets(pid_t pid);

}  // namespace telltale::subject
