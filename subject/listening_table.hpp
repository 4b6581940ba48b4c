// Every listening socket of one network namespace, whoever holds it: /proc/PID/net/{tcp,tcp6,udp,
// udp6,unix} of a process in it (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>

#include "subject/listening.hpp"

namespace telltale::subject {

// By inode; the holder is not known: pid 0, no executable.
using ListeningTable = std::map<std::uint64_t, ListeningSocket>;
// Empty when the process is gone.
[[nodiscard]] ListeningTable listening_table(pid_t pid);

}  // namespace telltale::subject
