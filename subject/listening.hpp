// Which sockets the processes of a subject listen on.
//
// /proc/PID/net/{tcp,tcp6,udp,udp6,unix} (proc(5), read in the network namespace of the process),
// joined by socket inode with /proc/PID/fd. A TCP or unix stream socket counts when it listens, UDP
// when it is bound and not connected.
// Not seen: sockets of a process whose descriptors this user may not read (another user's, without
// root), raw and packet sockets, vsock, and what listens only between two looks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "subject/process_tree.hpp"

namespace telltale::subject {

struct ListeningSocket {
  std::string address;  // "0.0.0.0", "::1", a path for unix sockets ("@name": an abstract one)
  std::uint16_t port = 0;
  bool udp = false;
  pid_t pid = 0;  // the first of the tree that holds it
  std::string executable;
};

// The network namespace of a process, as its link in /proc names it; empty: it is gone.
[[nodiscard]] std::string network_of(pid_t pid);

[[nodiscard]] std::vector<ListeningSocket> listening_sockets(const std::vector<ProcessEntry>& tree);

}  // namespace telltale::subject
