#include "catcher/image/users.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "evidence/rooted_files.hpp"

namespace telltale::catcher::image {

namespace {

using Fields = std::vector<std::string>;

constexpr std::size_t kPasswdFields = 7;  // name:password:uid:gid:text:home:shell
constexpr std::size_t kGroupFields = 4;   // name:password:gid:members
constexpr std::size_t kAccountLimit = 100'000;

// (uid_t)-1 means "leave it" to the kernel.
std::optional<unsigned> number_of(const std::string& text) {
  unsigned number = 0;
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end || number == ~0U)
    return std::nullopt;
  return number;
}

std::vector<Fields> table_of(const char* name, std::size_t fields, int root) {
  evidence::RootedFiles files(root);
  std::ifstream in(files.at(name));
  std::vector<Fields> table;
  for (std::string line; table.size() < kAccountLimit && std::getline(in, line);) {
    Fields parts;
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, ':');) parts.push_back(word);
    parts.resize(fields);
    table.push_back(std::move(parts));
  }
  return table;
}

// By name, or by the number in the third field.
const Fields* find(const std::vector<Fields>& table, const std::string& wanted) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Fields& entry) {
    return entry[0] == wanted || (number_of(wanted) && number_of(entry[2]) == number_of(wanted));
  });
  return found == table.end() ? nullptr : &*found;
}

bool has_member(const std::string& members, const std::string& name) {
  std::istringstream names(members);
  for (std::string member; std::getline(names, member, ',');)
    if (member == name) return true;
  return false;
}

tl::unexpected<Error> unknown(const char* what, const std::string& name, const char* file) {
  return fail(Fault::input,
              fmt::format("the image's configuration names the {} {}, which its {} does not know",
                          what, name, file),
              "correct the image's USER");
}

}  // namespace

Result<subject::Identity> find_image_user(const std::string& user, int root) {
  const auto colon = user.find(':');
  const auto name = user.empty() || colon == 0 ? std::string("0") : user.substr(0, colon);
  const auto users = table_of("/etc/passwd", kPasswdFields, root);
  const auto groups = table_of("/etc/group", kGroupFields, root);
  subject::Identity identity;
  const auto* entry = find(users, name);
  if (entry == nullptr && !number_of(name)) return unknown("user", name, "/etc/passwd");
  const auto uid = number_of(entry != nullptr ? (*entry)[2] : name);
  const auto gid = number_of(entry != nullptr ? (*entry)[3] : "0");
  if (!uid || !gid) return unknown("user", name, "/etc/passwd");
  identity.uid = *uid;
  identity.gid = *gid;
  identity.name = entry != nullptr ? (*entry)[0] : name;
  identity.home = entry != nullptr && !(*entry)[5].empty() ? (*entry)[5] : "/";
  identity.shell = entry != nullptr ? (*entry)[6] : "";
  if (colon != std::string::npos) {
    const auto group = user.substr(colon + 1);
    const auto* named = find(groups, group);
    const auto number = number_of(named != nullptr ? (*named)[2] : group);
    if (!number) return unknown("group", group, "/etc/group");
    identity.gid = *number;
    return identity;
  }
  for (const auto& group : groups)
    if (const auto number = number_of(group[2]); number && has_member(group[3], identity.name))
      identity.groups.push_back(*number);
  return identity;
}

}  // namespace telltale::catcher::image
