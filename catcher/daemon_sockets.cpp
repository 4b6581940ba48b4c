#include "catcher/daemon_sockets.hpp"

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
    if ((flags & kListens) != 0 || type == SOCK_DGRAM)
      paths_.insert(followed(line.substr(path + 1)));
  }
}

bool DaemonSockets::take_from(const std::string& path) const {
  const auto real = followed(path);
  return path.starts_with('/') && !real.starts_with(kCovered) && paths_.count(real) != 0;
}

}  // namespace telltale::catcher
