#include "catcher/socket_owner.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <memory>
#include <string_view>

namespace telltale::catcher {

namespace {

// "socket:[12345]" -> 12345, anything else -> 0.
std::uint32_t socket_inode(std::string_view link) {
  constexpr std::string_view kPrefix = "socket:[";
  if (link.substr(0, kPrefix.size()) != kPrefix) return 0;
  std::uint32_t inode = 0;
  std::from_chars(link.data() + kPrefix.size(), link.data() + link.size(), inode);
  return inode;
}

void add_sockets(pid_t pid, std::unordered_map<std::uint32_t, pid_t>& owners) {
  const auto path = fmt::format("/proc/{}/fd", pid);
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
  if (!folder) return;
  while (const dirent* entry = readdir(folder.get())) {
    std::array<char, 64> link{};
    const auto length =
        readlinkat(dirfd(folder.get()), entry->d_name, link.data(), link.size() - 1);
    if (length <= 0) continue;
    if (const auto inode = socket_inode({link.data(), static_cast<std::size_t>(length)}))
      owners.try_emplace(inode, pid);
  }
}

}  // namespace

std::unordered_map<std::uint32_t, pid_t> socket_owners(const std::vector<pid_t>& processes) {
  std::unordered_map<std::uint32_t, pid_t> owners;
  for (const pid_t pid : processes) add_sockets(pid, owners);
  return owners;
}

std::string executable_of(pid_t pid) {
  std::array<char, 4096> path{};
  const auto length =
      readlink(fmt::format("/proc/{}/exe", pid).c_str(), path.data(), path.size() - 1);
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string();
}

}  // namespace telltale::catcher
