// What the subject sees of the machine's files: everything, but for the ways to its daemons.
//
// Theory of operation. A network namespace does not cover sockets with a path: whoever can open the
// path reaches the daemon behind it, which sends for it (D-Bus, Docker, a resolver, nscd). So /run
// becomes an empty tmpfs with the same folders, and every other path to which a socket of the
// machine is bound at this moment (/proc/net/unix) is covered by an empty file: connecting is
// refused. /proc is of the PID namespace. resolv.conf names the world's address, and nsswitch.conf
// asks files and DNS for hosts: a name service of the machine (nss-resolve, mdns) would hide the
// questions. Under root /proc/sys and /proc/sysrq-trigger are read-only, because their permission
// is the user id alone, whatever its user namespace.
//
// The mount namespace is not the subject's: it cannot undo any of it.
//
// On demand the subject gets copy-on-write views (overlay.hpp) or another root (foreign_root.hpp).
//
// Not covered: a daemon that starts later; sockets that a daemon in another network namespace has
// bound; FIFOs, shared files and shared memory (System V memory is: an IPC namespace).
#pragma once

#include <string>
#include <vector>

#include "catcher/world/mount_step.hpp"
#include "catcher/world/overlay.hpp"
#include "catcher/world/world.hpp"
#include "evidence/result.hpp"

namespace telltale::catcher {

struct MountPlan {
  MountSteps steps;                           // the machine's view
  MountSteps root;                            // then, in a namespace of its own; empty: none
  MountSteps protection;                      // of /proc, the last, and none of it required
  std::vector<subject::FileDescriptor> held;  // reserve the numbers of the steps that hold
  std::vector<OverlaidFolder> overlaid;       // planned
  std::vector<std::string> uncovered;         // OverlayPlan::uncovered
  int memory = -1;                            // OverlayPlan::memory
};

// Fault::instrument when the machine has no /etc/resolv.conf to cover; Fault::input for a root that
// cannot be one.
[[nodiscard]] Result<MountPlan> plan_mounts(const WorldPlan& plan);

// The text of nsswitch.conf with its line for hosts as the world needs it.
[[nodiscard]] std::string world_nsswitch(const std::string& machine);
// The paths in the text of /proc/net/unix, each once.
[[nodiscard]] std::vector<std::string> socket_paths(const std::string& proc_net_unix);

}  // namespace telltale::catcher
