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
// The list is made by the tool before the fork; process 1 of the namespace works through it with
// system calls only. The mount namespace is not the subject's: it cannot undo any of it.
//
// Not covered: a daemon that starts later; sockets that a daemon in another network namespace has
// bound; FIFOs, shared files and shared memory (System V memory is: an IPC namespace).
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

struct MountStep {
  enum class Kind {
    mount,      // source on target, of a type, with flags and data
    folder,     // target is made, with mode and owner
    link,       // target is made, pointing to source
    file,       // target is made or emptied, holding `data`
    read_only,  // the mount at target is remounted so
    hold,       // target is opened as `descriptor`, a way to it once something lies over it
  };
  Kind kind = Kind::mount;
  std::string source;
  std::string target;
  std::string type;
  unsigned long flags = 0;  // MS_*
  std::string data;
  mode_t mode = 0755;
  uid_t owner = 0;
  gid_t group = 0;
  int descriptor = -1;
  bool required = true;
};

struct MountPlan {
  std::vector<MountStep> steps;
  std::vector<MountStep> protection;          // of /proc, the last, and none of it required
  std::vector<subject::FileDescriptor> held;  // reserve the numbers of the steps that hold
};

// Fault::instrument when the machine has no /etc/resolv.conf to cover.
[[nodiscard]] Result<MountPlan> plan_mounts(const std::vector<std::filesystem::path>& keep);

// The text of nsswitch.conf with its line for hosts as the world needs it.
[[nodiscard]] std::string world_nsswitch(const std::string& machine);
// The paths in the text of /proc/net/unix, each once.
[[nodiscard]] std::vector<std::string> socket_paths(const std::string& proc_net_unix);

// After a fork: system calls only. -1, or the number of the required step that failed (errno).
[[nodiscard]] int run_mounts(const std::vector<MountStep>& steps);

// "mounting tmpfs on /run", for an error.
[[nodiscard]] std::string describe(const MountStep& step);

}  // namespace telltale::catcher
