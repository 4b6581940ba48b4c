// Why this machine refuses namespaces, as far as it can be read, and what to do about it.
//
// The kernel answers EPERM whoever said no: a seccomp filter (containers, systemd's
// RestrictNamespaces=), AppArmor (Ubuntu from 23.10 on), a switch of the distribution, or its own
// rules. So the usual places are read, but only once something was refused: whether it works is
// tried, never read.
#pragma once

#include <filesystem>
#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

struct Obstacles {
  bool user_limit_zero = false;     // user.max_user_namespaces, of this user namespace
  bool network_limit_zero = false;  // user.max_net_namespaces
  bool unprivileged_off = false;    // kernel.unprivileged_userns_clone = 0 (Debian's switch)
  bool apparmor = false;            // kernel.apparmor_restrict_unprivileged_userns = 1
  bool seccomp = false;             // a filter lies on this process
  bool no_kernel_support = false;   // /proc has no user namespaces
  bool root = false;                // effective user id 0
  bool sys_admin = false;           // CAP_SYS_ADMIN is in force
  std::string container;            // "docker", "podman", "kubernetes", "lxc"; empty: none known
  std::filesystem::path program;    // of this tool
};

[[nodiscard]] Obstacles read_obstacles();

// For an errno of unshare(2), clone(2) or a map of ids.
[[nodiscard]] std::string namespace_remedy(const Obstacles& obstacles, int error);

// The text of a profile that gives `program` user namespaces and confines it no further.
[[nodiscard]] std::string apparmor_profile(const std::filesystem::path& program);

// Fault::instrument: "the sealed world cannot be made: WHAT was refused: ...".
[[nodiscard]] Error namespace_refused(const std::string& what, int error);
// The same for a /proc of the PID namespace: the kernel allows an ordinary user none where parts of
// the old one lie under other mounts (mount_namespaces(7)).
[[nodiscard]] Error proc_refused(const std::string& what, int error);

}  // namespace telltale::catcher
