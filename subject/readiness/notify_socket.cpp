#include "subject/readiness/notify_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace telltale::subject {

Result<NotifySocket> NotifySocket::open(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string text = path.string();
  if (text.size() >= sizeof address.sun_path)
    return fail(Fault::instrument, "the path of the notify socket is too long: " + text,
                "set TMPDIR to a folder with a shorter path");
  std::memcpy(address.sun_path, text.data(), text.size());
  NotifySocket made;
  made.socket_ = FileDescriptor(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  unlink(text.c_str());
  if (!made.socket_.valid() ||
      bind(made.socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return fail(Fault::instrument, "no notify socket at " + text + ": " + strerror(errno),
                "set TMPDIR to a folder that can be written");
  chmod(text.c_str(), 0666);
  return made;
}

bool NotifySocket::ready() {
  char message[8192];
  for (;;) {
    // Without room for control data the kernel closes descriptors that come along.
    const ssize_t size = recv(socket_.get(), message, sizeof message, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return ready_;
    read_message({message, static_cast<std::size_t>(size)});
  }
}

void NotifySocket::forget() {
  (void)ready();
  ready_ = false;
  status_.clear();
}

// Lines NAME=VALUE.
void NotifySocket::read_message(std::string_view message) {
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const std::string_view line = message.substr(0, end);
    if (line == "READY=1") ready_ = true;
    if (line.starts_with("STATUS=")) status_ = line.substr(7);
    message.remove_prefix(std::min(end + 1, message.size()));
  }
}

}  // namespace telltale::subject
