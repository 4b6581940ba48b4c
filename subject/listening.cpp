#include "subject/listening.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "subject/socket_inodes.hpp"

namespace telltale::subject {

namespace {

using Inode = std::uint64_t;

std::string link_text(const std::string& path) {
  char text[256];
  const ssize_t size = readlink(path.c_str(), text, sizeof text);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// "0100007F:1F90": each group of eight digits is a 32-bit word in the machine's byte order.
bool read_address(const std::string& text, ListeningSocket& socket) {
  const std::size_t colon = text.find(':');
  if (colon != 8 && colon != 32) return false;
  std::array<std::uint32_t, 4> words{};
  for (std::size_t at = 0; at < colon; at += 8)
    std::from_chars(text.data() + at, text.data() + at + 8, words[at / 8], 16);
  char printed[INET6_ADDRSTRLEN];
  inet_ntop(colon == 8 ? AF_INET : AF_INET6, words.data(), printed, sizeof printed);
  socket.address = printed;
  const char* port = text.data() + colon + 1;
  return std::from_chars(port, text.data() + text.size(), socket.port, 16).ec == std::errc();
}

using Listeners = std::map<Inode, ListeningSocket>;

// Columns: number, local, remote, state, queues, timer, retransmits, user, timeout, inode.
void read_internet(const std::string& path, bool udp, Listeners& listeners) {
  constexpr std::string_view kListen = "0A", kUnconnected = "07";
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto words = words_of(line);
    if (words.size() < 10 || words[3] != (udp ? kUnconnected : kListen)) continue;
    ListeningSocket socket;
    socket.udp = udp;
    if (read_address(words[1], socket)) listeners.emplace(std::stoull(words[9]), socket);
  }
}

// Columns: number, references, protocol, flags, type, state, inode, path. The path may hold blanks.
void read_unix(const std::string& path, Listeners& listeners) {
  constexpr unsigned kAccepting = 0x10000;  // __SO_ACCEPTCON
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto words = words_of(line);
    unsigned flags = 0;
    if (words.size() < 8) continue;
    std::from_chars(words[3].data(), words[3].data() + words[3].size(), flags, 16);
    ListeningSocket socket;
    socket.address = line.substr(line.find(words[7], line.find(" " + words[6] + " ") + 1));
    if ((flags & kAccepting) != 0) listeners.emplace(std::stoull(words[6]), socket);
  }
}

Listeners listeners_of_world(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/net/";
  Listeners listeners;
  read_internet(folder + "tcp", false, listeners);
  read_internet(folder + "tcp6", false, listeners);
  read_internet(folder + "udp", true, listeners);
  read_internet(folder + "udp6", true, listeners);
  read_unix(folder + "unix", listeners);
  return listeners;
}

}  // namespace

std::vector<ListeningSocket> listening_sockets(const std::vector<ProcessEntry>& tree) {
  std::map<std::string, Listeners> worlds;  // by network namespace
  std::vector<ListeningSocket> found;
  for (const auto& entry : tree) {
    const std::string name = link_text("/proc/" + std::to_string(entry.pid) + "/ns/net");
    const auto world = worlds.find(name);
    auto& listeners =
        world != worlds.end() ? world->second : worlds[name] = listeners_of_world(entry.pid);
    for (const Inode inode : held_sockets(entry.pid).inodes) {
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
