#include "catcher/world/user_namespace.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <sstream>

#include "catcher/world/id_mapper.hpp"
#include "catcher/world/remedy.hpp"
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

Result<> write_map(const std::string& path, const std::string& text) {
  if (try_map(path, text)) return {};
  return tl::make_unexpected(namespace_refused("the map " + path, errno));
}

Result<> map_own_ids(uid_t uid, gid_t gid) {
  if (auto denied = write_map("/proc/self/setgroups", "deny"); !denied) return denied;
  if (auto mapped = write_map("/proc/self/uid_map", fmt::format("{0} {0} 1", uid)); !mapped)
    return mapped;
  return write_map("/proc/self/gid_map", fmt::format("{0} {0} 1", gid));
}

std::uint64_t ids_of(const std::string& map) {
  std::istringstream lines(map);
  std::uint64_t all = 0;
  for (std::uint64_t inside = 0, outside = 0, count = 0; lines >> inside >> outside >> count;)
    all += count;
  return all;
}

}  // namespace

Result<> gain_namespaces(Ids ids) {
  if (has_capabilities()) return {};
  const auto uid = geteuid();
  const auto gid = getegid();
  const bool root = uid == 0;
  auto mapper = root ? IdMapper::of_this_root() : IdMapper();
  if (!root && ids == Ids::all) {
    auto made = IdMapper::of_ranges(uid, gid);
    if (!made) return pass_on(std::move(made.error()));
    mapper = std::move(*made);
  }
  if (unshare(CLONE_NEWUSER) != 0)
    return tl::make_unexpected(namespace_refused("a user namespace", errno));
  if (!mapper.waits()) return map_own_ids(uid, gid);
  auto mapped = mapper.map();
  return mapped || !root ? mapped : map_own_ids(uid, gid);
}

std::string identity_map(const std::string& own_map) {
  std::istringstream lines(own_map);
  std::string map;
  for (std::uint64_t inside = 0, outside = 0, count = 0; lines >> inside >> outside >> count;)
    map += fmt::format("{0} {0} {1}\n", inside, count);
  return map;
}

bool maps(const std::string& own_map, unsigned id) {
  std::istringstream lines(own_map);
  for (std::uint64_t inside = 0, outside = 0, count = 0; lines >> inside >> outside >> count;)
    if (id >= inside && id - inside < count) return true;
  return false;
}

Result<> map_users(pid_t process, const std::optional<SubjectIds>& subject) {
  const auto map = [process](const char* name, std::optional<unsigned> wanted, unsigned own) {
    const auto own_map = text_of(fmt::format("/proc/self/{}", name));
    return write_map(fmt::format("/proc/{}/{}", process, name),
                     !wanted || maps(own_map, *wanted) ? identity_map(own_map)
                                                       : fmt::format("{} {} 1", *wanted, own));
  };
  using Wanted = std::optional<unsigned>;
  if (auto users = map("uid_map", subject ? Wanted(subject->user) : Wanted(), geteuid()); !users)
    return users;
  return map("gid_map", subject ? Wanted(subject->group) : Wanted(), getegid());
}

GroupRange mapped_groups() {
  constexpr std::uint64_t kHighest = 2'147'483'647;
  GroupRange range{kHighest, 0};
  std::istringstream lines(text_of("/proc/self/gid_map"));
  for (std::uint64_t inside = 0, outside = 0, count = 0; lines >> inside >> outside >> count;) {
    range.first = std::min(range.first, inside);
    range.last = std::max(range.last, std::min(inside + count - 1, kHighest));
  }
  return range;
}

std::optional<std::string> missing_ids() {
  if (geteuid() != 0 || ids_of(text_of("/proc/self/uid_map")) > 1) return std::nullopt;
  return "root is the only user of this world: a program that changes its user, or gives a file "
         "away, gets \"Invalid argument\" (EINVAL). With CAP_SETUID and CAP_SETGID beside it (a "
         "container: --cap-add SETUID --cap-add SETGID), or as an ordinary user with a range in "
         "/etc/subuid and `user: root`, it has them all";
}

}  // namespace telltale::catcher
