#include "subject/listening.hpp"

#include <unistd.h>

#include <map>

#include "subject/listening_table.hpp"
#include "subject/socket_inodes.hpp"

namespace telltale::subject {

std::string network_of(pid_t pid) {
  char text[256];
  const auto path = "/proc/" + std::to_string(pid) + "/ns/net";
  const ssize_t size = readlink(path.c_str(), text, sizeof text);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

std::vector<ListeningSocket> listening_sockets(const std::vector<ProcessEntry>& tree) {
  std::map<std::string, ListeningTable> worlds;  // by network namespace
  std::vector<ListeningSocket> found;
  for (const auto& entry : tree) {
    const std::string name = network_of(entry.pid);
    const auto world = worlds.find(name);
    auto& listeners =
        world != worlds.end() ? world->second : worlds[name] = listening_table(entry.pid);
    for (const auto inode : held_sockets(entry.pid).inodes) {
      const auto listener = listeners.find(inode);
      if (listener == listeners.end()) continue;
      found.push_back(listener->second);
      found.back().pid = entry.pid;
      found.back().executable = executable_of(entry.pid);
      listeners.erase(listener);  // a socket that children inherited is one listener
    }
  }
  return found;
}

}  // namespace telltale::subject
