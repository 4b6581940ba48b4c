#include "catcher/socket_owner.hpp"

#include "subject/socket_inodes.hpp"

namespace telltale::catcher {

std::unordered_map<std::uint32_t, pid_t> socket_owners(const std::vector<pid_t>& processes,
                                                       std::set<pid_t>* unreadable) {
  std::unordered_map<std::uint32_t, pid_t> owners;
  for (const pid_t pid : processes) {
    const auto held = subject::held_sockets(pid);
    if (!held.readable && unreadable != nullptr) unreadable->insert(pid);
    for (const auto inode : held.inodes) owners.try_emplace(static_cast<std::uint32_t>(inode), pid);
  }
  return owners;
}

}  // namespace telltale::catcher
