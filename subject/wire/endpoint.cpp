#include "subject/wire/endpoint.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "subject/quote.hpp"
#include "subject/wire/stream.hpp"

namespace telltale::subject {

namespace {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
  [[nodiscard]] int family() const { return storage.ss_family; }
};

bool parse(const std::string& host, std::uint16_t port, SocketAddress& out) {
  auto* four = reinterpret_cast<sockaddr_in*>(&out.storage);
  if (inet_pton(AF_INET, host.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    out.size = sizeof(sockaddr_in);
    return true;
  }
  auto* six = reinterpret_cast<sockaddr_in6*>(&out.storage);
  if (inet_pton(AF_INET6, host.c_str(), &six->sin6_addr) != 1) return false;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(port);
  out.size = sizeof(sockaddr_in6);
  return true;
}

Result<std::vector<SocketAddress>> tcp_addresses(const Endpoint& endpoint) {
  const auto hosts = endpoint.host == "localhost" ? std::vector<std::string>{"127.0.0.1", "::1"}
                                                  : std::vector<std::string>{endpoint.host};
  std::vector<SocketAddress> all;
  for (const auto& host : hosts) {
    SocketAddress address;
    if (!parse(host, endpoint.port, address))
      return fail(Fault::input,
                  fmt::format("{} is a name, and doors look no name up", quote(endpoint.host)),
                  "write the address that the subject listens at: 127.0.0.1, [::1] or localhost");
    all.push_back(address);
  }
  return all;
}

Result<std::vector<SocketAddress>> unix_address(const std::string& path) {
  SocketAddress address;
  auto* local = reinterpret_cast<sockaddr_un*>(&address.storage);
  if (path.size() >= sizeof local->sun_path)
    return fail(Fault::input,
                fmt::format("{} has {} bytes, and a unix socket's path at most {}", quote(path),
                            path.size(), sizeof local->sun_path - 1),
                "give the socket a shorter path, or set TMPDIR to a shorter folder");
  local->sun_family = AF_UNIX;
  std::memcpy(local->sun_path, path.data(), path.size());
  const bool abstract = path.front() == '@';
  if (abstract) local->sun_path[0] = '\0';
  address.size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1));
  return std::vector{address};
}

// connect(2) that ends at the deadline; 0 or an errno. A unix socket whose backlog is full says
// EAGAIN, and poll(2) cannot wait for that.
int connect_before(int socket, const SocketAddress& address, const Deadline& deadline) {
  const auto* raw = reinterpret_cast<const sockaddr*>(&address.storage);
  while (::connect(socket, raw, address.size) != 0) {
    if (errno == EAGAIN || errno == EINTR) {
      const Wait wait = pause(Milliseconds{5}, deadline);
      if (wait != Wait::ready) return wait == Wait::late ? ETIMEDOUT : ECANCELED;
      continue;
    }
    if (errno != EINPROGRESS) return errno;
    const Wait wait = wait_for(socket, POLLOUT, deadline);
    if (wait != Wait::ready) return wait == Wait::late ? ETIMEDOUT : ECANCELED;
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
  }
  return 0;
}

void make_blocking(int socket, int family) {
  const int flags = fcntl(socket, F_GETFL);
  if (flags >= 0) fcntl(socket, F_SETFL, flags & ~O_NONBLOCK);
  const timeval slice{0, std::chrono::microseconds(kReadSlice).count()};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &slice, sizeof slice);
  const int on = 1;
  if (family != AF_UNIX) setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

std::string host_of(const SocketAddress& address) {
  char text[INET6_ADDRSTRLEN]{};
  const void* binary = address.family() == AF_INET
                           ? static_cast<const void*>(
                                 &reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_addr)
                           : &reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_addr;
  inet_ntop(address.family(), binary, text, sizeof text);
  return text;
}

Peer peer_of(int socket, const SocketAddress& address, const Endpoint& asked) {
  if (address.family() != AF_UNIX) return {{host_of(address), asked.port, {}}, 0};
  ucred listener{};
  socklen_t size = sizeof listener;
  getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &listener, &size);
  return {asked, listener.pid};
}

Error connect_error(int error, const Endpoint& endpoint, const Deadline& deadline) {
  const auto where = endpoint.text();
  if (error == ECANCELED) return stream_error(Io::interrupted, where, {}, deadline);
  if (error == ETIMEDOUT) return stream_error(Io::late, where, "before it accepted", deadline);
  if (error == ECONNREFUSED || error == ENOENT)
    return {Fault::subject, fmt::format("nothing listens at {} ({})", where, strerror(error)), {}};
  return {Fault::subject, fmt::format("{} cannot be reached: {}", where, strerror(error)), {}};
}

}  // namespace

std::string Endpoint::text() const {
  if (!path.empty()) return path;
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

Result<Connected> connect_to(Enclosure& enclosure, const Endpoint& endpoint,
                             const Deadline& deadline) {
  auto addresses = endpoint.path.empty() ? tcp_addresses(endpoint) : unix_address(endpoint.path);
  if (!addresses) return pass_on(std::move(addresses.error()));
  int error = ECONNREFUSED;
  for (const auto& address : *addresses) {
    auto made = enclosure.socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (!made) return pass_on(std::move(made.error()));
    error = connect_before(made->get(), address, deadline);
    if (error != 0) continue;
    make_blocking(made->get(), address.family());
    auto peer = peer_of(made->get(), address, endpoint);
    return Connected{std::move(*made), std::move(peer)};
  }
  return pass_on(connect_error(error, endpoint, deadline));
}

}  // namespace telltale::subject
