#include "catcher/socket_diagnostics.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "catcher/socket_owner.hpp"
#include "subject/file_descriptor.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher;
using telltale::subject::FileDescriptor;

namespace {

std::uint32_t inode_of(const FileDescriptor& fd) {
  struct stat status {};
  REQUIRE(fstat(fd.get(), &status) == 0);
  return static_cast<std::uint32_t>(status.st_ino);
}

template <class Address>
void bind_loopback(const FileDescriptor& fd, Address& address) {
  socklen_t length = sizeof address;
  REQUIRE(bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) == 0);
  REQUIRE(getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &length) == 0);
}

std::map<std::uint32_t, RawSocket> dump() {
  auto diagnostics = SocketDiagnostics::open();
  REQUIRE(diagnostics);
  std::map<std::uint32_t, RawSocket> all;
  REQUIRE(diagnostics->visit([&](const RawSocket& socket) { all[socket.inode] = socket; }));
  return all;
}

}  // namespace

TEST_CASE("one visit gives TCP and UDP over IPv4 and IPv6") {
  FileDescriptor listener(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind_loopback(listener, four);
  REQUIRE(listen(listener.get(), 1) == 0);
  FileDescriptor caller(socket(AF_INET, SOCK_STREAM, 0));
  REQUIRE(connect(caller.get(), reinterpret_cast<sockaddr*>(&four), sizeof four) == 0);

  FileDescriptor listener6(socket(AF_INET6, SOCK_STREAM, 0));
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_addr = in6addr_loopback;
  bind_loopback(listener6, six);
  REQUIRE(listen(listener6.get(), 1) == 0);

  FileDescriptor datagram(socket(AF_INET, SOCK_DGRAM, 0));
  REQUIRE(connect(datagram.get(), reinterpret_cast<sockaddr*>(&four), sizeof four) == 0);
  FileDescriptor datagram6(socket(AF_INET6, SOCK_DGRAM, 0));
  REQUIRE(connect(datagram6.get(), reinterpret_cast<sockaddr*>(&six), sizeof six) == 0);

  const auto all = dump();
  REQUIRE(all.count(inode_of(listener)) == 1);
  CHECK(all.at(inode_of(listener)).state == TCP_LISTEN);
  REQUIRE(all.count(inode_of(caller)) == 1);
  CHECK(all.at(inode_of(caller)).state == TCP_ESTABLISHED);
  CHECK(text(all.at(inode_of(caller)).peer_endpoint()) ==
        "127.0.0.1:" + std::to_string(ntohs(four.sin_port)));
  REQUIRE(all.count(inode_of(listener6)) == 1);
  CHECK(text(all.at(inode_of(listener6)).local_endpoint()) ==
        "[::1]:" + std::to_string(ntohs(six.sin6_port)));
  REQUIRE(all.count(inode_of(datagram)) == 1);
  CHECK(all.at(inode_of(datagram)).protocol == IPPROTO_UDP);
  CHECK(all.count(inode_of(datagram6)) == 1);

  auto diagnostics = SocketDiagnostics::open();
  const auto& called = all.at(inode_of(caller));
  CHECK(
      diagnostics
          ->inode_of(IPPROTO_TCP, {"127.0.0.1", called.local_port}, {"127.0.0.1", called.peer_port})
          .value() == inode_of(caller));
  CHECK(diagnostics->inode_of(IPPROTO_TCP, {"127.0.0.1", 1}, {"127.0.0.1", 1}).value() == 0);
}

TEST_CASE("a socket is found in the process that holds it") {
  FileDescriptor mine(socket(AF_INET, SOCK_STREAM, 0));
  const auto owners = socket_owners({getpid()});
  REQUIRE(owners.count(inode_of(mine)) == 1);
  CHECK(owners.at(inode_of(mine)) == getpid());
  CHECK_FALSE(executable_of(getpid()).empty());
  CHECK(socket_owners({}).empty());
}
