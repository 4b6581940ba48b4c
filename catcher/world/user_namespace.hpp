// The right to make namespaces, and the maps of user namespaces.
//
// Theory of operation. Root has that right. An ordinary user gets it by entering a user namespace
// of its own, where it is mapped to itself and holds every capability over what is made there, and
// over nothing else (user_namespaces(7)). The kernel refuses that to a process with threads, so it
// comes first. Its supplementary groups stay and read as 65534; setgroups(2) is refused from then
// on, as the kernel demands of a map that needs no privilege.
#pragma once

#include <sys/types.h>

#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

// Nothing to do when CAP_SYS_ADMIN and CAP_NET_ADMIN are there. Call it before the first thread.
[[nodiscard]] Result<> gain_namespaces();

// Fills the maps of the user namespace that `process` has just entered: every id of the tool's own
// namespace, as itself.
[[nodiscard]] Result<> map_as_itself(pid_t process);

// A map that gives every id that `own_map` (the text of /proc/PID/uid_map) has as itself.
[[nodiscard]] std::string identity_map(const std::string& own_map);

// Why this machine refuses `what` ("a network namespace"), as far as it can be read, and the
// remedy.
[[nodiscard]] Error namespace_refused(const std::string& what, int error);

}  // namespace telltale::catcher
