#include "subject/identity.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

namespace telltale::subject {

namespace {

std::vector<gid_t> groups_of(const passwd& entry) {
  int count = 64;
  std::vector<gid_t> groups(static_cast<std::size_t>(count));
  while (getgrouplist(entry.pw_name, entry.pw_gid, groups.data(), &count) < 0)
    groups.resize(static_cast<std::size_t>(count));
  groups.resize(static_cast<std::size_t>(count));
  return groups;
}

std::string text_of(const char* text) {
  return text != nullptr ? text : "";
}

}  // namespace

Result<Identity> find_identity(const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> buffer(16 * 1024);
  if (name.empty())
    getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found);
  else
    getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found != nullptr)
    return Identity{entry.pw_name,    entry.pw_uid,          entry.pw_gid,
                    groups_of(entry), text_of(entry.pw_dir), text_of(entry.pw_shell)};
  if (name.empty()) return Identity{std::to_string(geteuid()), geteuid(), getegid(), {}, "/", ""};
  return fail(Fault::input, "there is no user " + name + " on this machine",
              "name one of `getent passwd`, or take `user:` out");
}

}  // namespace telltale::subject
