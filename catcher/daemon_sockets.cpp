#include "catcher/daemon_sockets.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/socket.h>

#include <fstream>
#include <sstream>
#include <system_error>

namespace telltale::catcher {

namespace {

constexpr unsigned kListens = 0x10000;  // __SO_ACCEPTCON of linux/net.h

// The world has a /run of its own (mounts.hpp): nobody of the machine can be reached there, and
// every look-up of a C library asks for the name service's socket in it.
constexpr const char* kCovered = "/run/";

std::string followed(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

// Num: RefCount Protocol Flags Type St Inode Path, in hexadecimal; proc(5).
void DaemonSockets::look() {
  std::ifstream list(list_);
  for (std::string line; std::getline(list, line);) {
    const auto path = line.find(" /");
    std::istringstream fields(line);
    std::string number, references, protocol;
    unsigned flags = 0;
    int type = 0;
    if (path == std::string::npos ||
        !(fields >> number >> references >> protocol >> std::hex >> flags >> type))
      continue;
    if ((flags & kListens) == 0 && type != SOCK_DGRAM) continue;
    const auto real = followed(line.substr(path + 1));
    paths_.insert(real);
    if (type == SOCK_DGRAM && !real.starts_with(kCovered)) datagrams_.insert(real);
  }
}

bool DaemonSockets::take_from(const std::string& path) const {
  const auto real = followed(path);
  return path.starts_with('/') && !real.starts_with(kCovered) && paths_.count(real) != 0;
}

void DaemonSockets::tell_of_messages(const std::vector<Sighting>& sightings,
                                     std::vector<evidence::Unexamined>& all) const {
  std::set<std::string> programs;
  for (const auto& sighting : sightings)
    if (sighting.kind == "datagram socket" && sighting.protocol == "unix")
      programs.insert(sighting.executable);
  if (programs.empty()) return;
  for (const auto& path : datagrams_)
    all.push_back({"message:" + path,
                   fmt::format("whether {} wrote to {} of a process outside, by sendmsg(2) with "
                               "MSG_NOSIGNAL, nobody saw",
                               fmt::join(programs, " or "), path),
                   ""});
}

}  // namespace telltale::catcher
