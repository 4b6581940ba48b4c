#include "catcher/world/user_namespace.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool has_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  constexpr std::uint32_t kNeeded = 1U << CAP_SYS_ADMIN | 1U << CAP_NET_ADMIN;
  return (data[0].effective & kNeeded) == kNeeded;
}

// A map is taken in one write(2) or not at all.
Result<> write_map(const std::string& path, const std::string& text) {
  const subject::FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.valid() &&
      write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()))
    return {};
  return tl::make_unexpected(namespace_refused("the map " + path, errno));
}

bool in_container() {
  return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0;
}

bool filtered_by_seccomp() {
  return text_of("/proc/self/status").find("Seccomp:\t2") != std::string::npos;
}

bool zero(const std::string& path) {
  return text_of(path).starts_with('0');
}

std::string remedy(int error) {
  if (error == ENOSPC || zero("/proc/sys/user/max_user_namespaces"))
    return "raise the limit, as root: sysctl user.max_user_namespaces=10000 "
           "user.max_net_namespaces=10000";
  if (zero("/proc/sys/kernel/unprivileged_userns_clone"))
    return "as root: sysctl kernel.unprivileged_userns_clone=1; or run the tool as root";
  if (text_of("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").starts_with('1'))
    return "AppArmor allows user namespaces only to programs with a profile: run the tool as "
           "root, or, as root: sysctl kernel.apparmor_restrict_unprivileged_userns=0";
  if (in_container() || filtered_by_seccomp())
    return "the container forbids it: start it with --cap-add SYS_ADMIN --cap-add NET_ADMIN "
           "--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
           "--security-opt systempaths=unconfined";
  if (error == EINVAL) return "report this: the tool had more than one thread already";
  return "run the tool as root, or on a kernel with CONFIG_USER_NS and CONFIG_NET_NS";
}

}  // namespace

Error namespace_refused(const std::string& what, int error) {
  return {Fault::instrument,
          fmt::format("the sealed world cannot be made: {} was refused: {}", what,
                      std::strerror(error)),
          remedy(error)};
}

Result<> gain_namespaces() {
  if (has_capabilities()) return {};
  const auto uid = geteuid();
  const auto gid = getegid();
  if (unshare(CLONE_NEWUSER) != 0)
    return tl::make_unexpected(namespace_refused("a user namespace", errno));
  if (auto denied = write_map("/proc/self/setgroups", "deny"); !denied) return denied;
  if (auto mapped = write_map("/proc/self/uid_map", fmt::format("{0} {0} 1", uid)); !mapped)
    return mapped;
  return write_map("/proc/self/gid_map", fmt::format("{0} {0} 1", gid));
}

std::string identity_map(const std::string& own_map) {
  std::istringstream lines(own_map);
  std::string map;
  for (std::uint64_t inside = 0, outside = 0, count = 0; lines >> inside >> outside >> count;)
    map += fmt::format("{0} {0} {1}\n", inside, count);
  return map;
}

Result<> map_as_itself(pid_t process) {
  for (const auto* name : {"uid_map", "gid_map"})
    if (auto written = write_map(fmt::format("/proc/{}/{}", process, name),
                                 identity_map(text_of(fmt::format("/proc/self/{}", name))));
        !written)
      return written;
  return {};
}

}  // namespace telltale::catcher
