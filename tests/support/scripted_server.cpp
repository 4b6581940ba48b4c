#include "support/scripted_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace telltale::test {

namespace {

void check(bool fine, const char* what) {
  if (!fine) throw std::runtime_error(std::string("scripted server: ") + what);
}

std::size_t content_length(const std::string& head) {
  const auto at = head.find("Content-Length: ");
  return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + 16, nullptr, 10);
}

}  // namespace

void Connection::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool Connection::more() {
  std::array<char, 4096> room{};
  const auto got = ::recv(fd_, room.data(), room.size(), 0);
  if (got > 0) pending_.append(room.data(), static_cast<std::size_t>(got));
  return got > 0;
}

std::string Connection::taken(std::size_t bytes) {
  auto text = pending_.substr(0, bytes);
  pending_.erase(0, bytes);
  return text;
}

std::string Connection::until(std::string_view end) {
  for (;;) {
    const auto at = pending_.find(end);
    if (at != std::string::npos) return taken(at + end.size());
    if (!more()) return {};
  }
}

std::string Connection::request() {
  auto text = until("\r\n\r\n");
  const auto size = content_length(text);
  while (pending_.size() < size)
    if (!more()) return {};
  return text + taken(size);
}

void Connection::wait_for_close() const {
  std::array<char, 4096> room{};
  while (::recv(fd_, room.data(), room.size(), 0) > 0) {
  }
}

void Connection::reset_on_close() const {
  const linger now{1, 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

ScriptedServer::ScriptedServer(Script script) : script_(std::move(script)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  check(bind(listener_, raw, size) == 0 && getsockname(listener_, raw, &size) == 0, "bind");
  port_ = ntohs(address.sin_port);
  serve();
}

ScriptedServer::ScriptedServer(const std::filesystem::path& path, Script script)
    : script_(std::move(script)) {
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  check(path.string().size() < sizeof address.sun_path, "path");
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  check(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
  serve();
}

void ScriptedServer::serve() {
  check(listen(listener_, 16) == 0, "listen");
  stop_ = eventfd(0, EFD_CLOEXEC);
  // No signal of the test is for this thread; nor may it be ended by SIGPIPE: OpenSSL writes with
  // write(2), and a client may have gone.
  sigset_t all_signals, before;
  sigfillset(&all_signals);
  pthread_sigmask(SIG_SETMASK, &all_signals, &before);
  thread_ = std::thread([this] {
    for (;;) {
      std::array<pollfd, 2> all{pollfd{listener_, POLLIN, 0}, pollfd{stop_, POLLIN, 0}};
      poll(all.data(), all.size(), -1);
      if (all[1].revents != 0) return;
      const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      {
        const std::lock_guard lock(mutex_);
        open_ = fd;
        if (stopping_) shutdown(fd, SHUT_RDWR);
      }
      Connection connection(fd, ++connections_);
      script_(connection);
      const std::lock_guard lock(mutex_);
      open_ = -1;
      close(fd);
    }
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    if (open_ >= 0) shutdown(open_, SHUT_RDWR);
  }
  eventfd_write(stop_, 1);
  thread_.join();
  close(listener_);
  close(stop_);
}

std::string ScriptedServer::url(std::string_view path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
}

std::string ok(std::string_view body, std::string_view headers) {
  std::string text = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  return text.append(headers).append("\r\n").append(body);
}

}  // namespace telltale::test
