#include "subject/listening_table.hpp"

#include <arpa/inet.h>

#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::subject {

namespace {

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

// Columns: number, local, remote, state, queues, timer, retransmits, user, timeout, inode.
void read_internet(const std::string& path, bool udp, ListeningTable& listeners) {
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
void read_unix(const std::string& path, ListeningTable& listeners) {
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

}  // namespace

ListeningTable listening_table(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/net/";
  ListeningTable listeners;
  read_internet(folder + "tcp", false, listeners);
  read_internet(folder + "tcp6", false, listeners);
  read_internet(folder + "udp", true, listeners);
  read_internet(folder + "udp6", true, listeners);
  read_unix(folder + "unix", listeners);
  return listeners;
}

}  // namespace telltale::subject
