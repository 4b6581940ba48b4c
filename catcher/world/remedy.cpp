#include "catcher/world/remedy.hpp"

#include <fmt/format.h>
#include <linux/capability.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "evidence/host_stamp.hpp"

namespace telltale::catcher {

namespace {

namespace fs = std::filesystem;

constexpr auto kContainerFlags =
    "--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
    "--security-opt systempaths=unconfined";

std::string file_text(const char* path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string container_remedy(const std::string& container) {
  if (container == "kubernetes")
    return "the pod's security context forbids it: allow it with seccompProfile: {type: "
           "Unconfined}, appArmorProfile: {type: Unconfined} and procMount: Unmasked (hostUsers: "
           "false), or with privileged: true";
  if (container.starts_with("lxc"))
    return "the container forbids it: set security.nesting=true for it";
  return fmt::format(
      "the container forbids it: start it with {}; where that does not do, with --cap-add "
      "SYS_ADMIN --cap-add NET_ADMIN besides",
      kContainerFlags);
}

std::string filter_remedy() {
  return fmt::format(
      "a seccomp filter of whoever started this forbids it. A container: start it with {}; where "
      "that does not do, with --cap-add SYS_ADMIN --cap-add NET_ADMIN besides. A unit of systemd: "
      "RestrictNamespaces=no and no SystemCallFilter= against @mount",
      kContainerFlags);
}

std::string apparmor_remedy(const fs::path& program) {
  return fmt::format(
      "AppArmor gives user namespaces only to programs with a profile: run the tool as root; or "
      "write this to /etc/apparmor.d/telltale and load it, as root: apparmor_parser -r "
      "/etc/apparmor.d/telltale\n{}  or, for every program: sysctl "
      "kernel.apparmor_restrict_unprivileged_userns=0",
      apparmor_profile(program));
}

bool has_sys_admin() {
  constexpr auto kField = "CapEff:\t";
  const auto status = file_text("/proc/self/status");
  const auto at = status.find(kField);
  if (at == std::string::npos) return false;
  const auto capabilities = std::stoull(status.substr(at + std::strlen(kField)), nullptr, 16);
  return (capabilities >> CAP_SYS_ADMIN & 1) != 0;
}

}  // namespace

Obstacles read_obstacles() {
  const auto zero = [](const char* path) { return file_text(path).starts_with('0'); };
  Obstacles found;
  found.user_limit_zero = zero("/proc/sys/user/max_user_namespaces");
  found.network_limit_zero = zero("/proc/sys/user/max_net_namespaces");
  found.unprivileged_off = zero("/proc/sys/kernel/unprivileged_userns_clone");
  found.apparmor =
      file_text("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").starts_with('1');
  found.seccomp = file_text("/proc/self/status").find("Seccomp:\t2") != std::string::npos;
  found.sys_admin = has_sys_admin();
  found.no_kernel_support = access("/proc/self/ns/user", F_OK) != 0;
  found.root = geteuid() == 0;
  found.container = evidence::container_seen("/");
  if (found.container.empty() && std::getenv("KUBERNETES_SERVICE_HOST") != nullptr)
    found.container = "kubernetes";
  std::error_code error;
  found.program = fs::read_symlink("/proc/self/exe", error);
  return found;
}

std::string namespace_remedy(const Obstacles& obstacles, int error) {
  if (error == ENOSPC || error == EUSERS || obstacles.user_limit_zero ||
      obstacles.network_limit_zero)
    return "raise the limit, as root: sysctl user.max_user_namespaces=10000 "
           "user.max_net_namespaces=10000";
  if (error == EACCES)
    return "a security module forbids it: in a container, start it with --security-opt "
           "apparmor=unconfined --security-opt label=disable";
  if (obstacles.no_kernel_support)
    return "a kernel with CONFIG_USER_NS and CONFIG_NET_NS is needed";
  // user_namespaces(7): EPERM where the caller's root is not that of its mount namespace.
  if (obstacles.root && obstacles.sys_admin && !obstacles.seccomp)
    return "in a chroot the kernel makes no user namespaces: enter the folder by pivot_root "
           "(systemd-nspawn and containers do), or run the tool outside of it";
  if (!obstacles.container.empty()) return container_remedy(obstacles.container);
  if (obstacles.seccomp) return filter_remedy();
  if (obstacles.unprivileged_off && !obstacles.root)
    return "as root: sysctl kernel.unprivileged_userns_clone=1; or run the tool as root";
  if (obstacles.apparmor && !obstacles.root) return apparmor_remedy(obstacles.program);
  if (error == EINVAL) return "report this: the tool had more than one thread already";
  if (obstacles.root)
    return "this root lacks CAP_SYS_ADMIN and CAP_NET_ADMIN, and may not make a user namespace "
           "either: give it both (--cap-add SYS_ADMIN --cap-add NET_ADMIN), or run the tool as an "
           "ordinary user";
  return "run the tool as root, or on a kernel with CONFIG_USER_NS and CONFIG_NET_NS";
}

std::string apparmor_profile(const fs::path& program) {
  const auto folder = program.parent_path().string();
  return fmt::format(
      "    abi <abi/4.0>,\n"
      "    include <tunables/global>\n"
      "    profile telltale {}/{{egress,telltale}} flags=(unconfined) {{\n"
      "      userns,\n"
      "    }}\n",
      folder);
}

Error namespace_refused(const std::string& what, int error) {
  return {Fault::instrument,
          fmt::format("the sealed world cannot be made: {} was refused: {}", what,
                      std::strerror(error)),
          namespace_remedy(read_obstacles(), error)};
}

Error proc_refused(const std::string& what, int error) {
  auto refused = namespace_refused(what, error);
  if (error == EPERM)
    refused.fix =
        "parts of /proc lie under other mounts here, as a container does it, and the kernel then "
        "allows no new one: start it with --security-opt systempaths=unconfined (Kubernetes: "
        "procMount: Unmasked), or run the tool outside of it";
  return refused;
}

}  // namespace telltale::catcher
