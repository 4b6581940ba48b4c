#include "subject/socket_inodes.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>

#include "subject/directory.hpp"

namespace telltale::subject {

HeldSockets held_sockets(pid_t pid) {
  constexpr std::string_view kSocket = "socket:[";
  HeldSockets held;
  const Directory folder(opendir(("/proc/" + std::to_string(pid) + "/fd").c_str()));
  held.readable = folder || (errno != EACCES && errno != EPERM);
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    std::array<char, 64> link{};
    const auto length = readlinkat(dirfd(folder.get()), entry->d_name, link.data(), link.size());
    const std::string_view text(link.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    std::uint64_t inode = 0;
    if (text.starts_with(kSocket) &&
        std::from_chars(text.data() + kSocket.size(), text.data() + text.size(), inode).ec ==
            std::errc())
      held.inodes.push_back(inode);
  }
  return held;
}

}  // namespace telltale::subject
