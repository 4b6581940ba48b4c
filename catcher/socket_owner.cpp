#include "catcher/socket_owner.hpp"

#include "subject/socket_inodes.hpp"

namespace telltale::catcher {

std::unordered_map<std::uint32_t, pid_t> socket_owners(const std::vector<pid_t>& processes) {
  std::unordered_map<std::uint32_t, pid_t> owners;
  for (const pid_t pid : processes)
    for (const auto inode : subject::socket_inodes(pid))
      owners.try_emplace(static_cast<std::uint32_t>(inode), pid);
  return owners;
}

}  // namespace telltale::catcher
