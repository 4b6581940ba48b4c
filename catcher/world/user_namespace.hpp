// The right to make namespaces, and the maps of user namespaces.
//
// Theory of operation. Root has that right. An ordinary user gets it by entering a user namespace
// of its own, where it holds every capability over what is made there, and over nothing else
// (user_namespaces(7)). The kernel refuses that to a process with threads, so it comes first. What
// the ids in it are (Ids):
//
//   own   the user is mapped to itself, and there is nobody else. Its supplementary groups stay and
//         read as 65534; setgroups(2) is refused from then on, as the kernel demands of a map that
//         needs no privilege.
//   all   the user is root in it, and the ids of its ranges in /etc/subuid and /etc/subgid follow,
//         from 1 on: a subject may be started as root, change its user and give files away, as
//         nginx does. Only newuidmap(1) and newgidmap(1), which are set-user-id, may write such a
//         map: the one outside program that the tool calls.
//
// A root without CAP_SYS_ADMIN or CAP_NET_ADMIN (a container's) takes the same way, and keeps all
// its ids where it has CAP_SETUID and CAP_SETGID, else only 0.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

enum class Ids { own, all };

// Who a subject is.
struct SubjectIds {
  uid_t user = 0;
  gid_t group = 0;
};

// Nothing to do when CAP_SYS_ADMIN and CAP_NET_ADMIN are there. Call it before the first thread.
[[nodiscard]] Result<> gain_namespaces(Ids ids = Ids::own);

// Fills the maps of the user namespace that `process` has just entered: every id of the tool's own
// namespace, as itself. An id of `subject` that is not among them is mapped to the tool's own, and
// it alone.
[[nodiscard]] Result<> map_users(pid_t process, const std::optional<SubjectIds>& subject);

// A map that gives every id that `own_map` (the text of /proc/PID/uid_map) has as itself.
[[nodiscard]] std::string identity_map(const std::string& own_map);
// Whether `id` has a place in it.
[[nodiscard]] bool maps(const std::string& own_map, unsigned id);

// The lowest and the highest group of this user namespace; at most 2147483647.
struct GroupRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};
[[nodiscard]] GroupRange mapped_groups();

// In a world whose root has no other id beside it: what that means for a subject, and the remedy.
[[nodiscard]] std::optional<std::string> missing_ids();

}  // namespace telltale::catcher
