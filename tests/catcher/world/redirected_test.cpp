// What arrives at the redirected sockets, sent by a subject inside.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "inside.hpp"
#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::test;

namespace {

std::string text_of(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  std::uint16_t port = 0;
  if (address.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &six.sin6_addr, text, sizeof text);
    port = ntohs(six.sin6_port);
  } else {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &four.sin_addr, text, sizeof text);
    port = ntohs(four.sin_port);
  }
  return std::string(text) + " " + std::to_string(port);
}

bool readable(int fd) {
  pollfd waiting{fd, POLLIN, 0};
  return poll(&waiting, 1, 10'000) == 1;
}

// Accepts one connection, answers "seen", and gives its original destination and first bytes.
std::string accept_one(int listener) {
  if (!readable(listener)) return "nothing came";
  const subject::FileDescriptor peer(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(peer.get(), reinterpret_cast<sockaddr*>(&address), &size);
  char bytes[64] = "";
  const ssize_t got = readable(peer.get()) ? read(peer.get(), bytes, sizeof bytes) : 0;
  send(peer.get(), "seen", 4, MSG_NOSIGNAL);
  return text_of(address) + " " + std::string(bytes, static_cast<std::size_t>(got > 0 ? got : 0));
}

// Takes one datagram; its original destination and bytes.
std::string receive_one(int socket) {
  if (!readable(socket)) return "nothing came";
  char bytes[64] = "";
  iovec part{bytes, sizeof bytes};
  alignas(cmsghdr) char control[512];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(socket, &message, 0);
  std::string destination = "no destination";
  for (cmsghdr* item = CMSG_FIRSTHDR(&message); item != nullptr; item = CMSG_NXTHDR(&message, item))
    if ((item->cmsg_level == SOL_IP && item->cmsg_type == IP_ORIGDSTADDR) ||
        (item->cmsg_level == SOL_IPV6 && item->cmsg_type == IPV6_ORIGDSTADDR)) {
      sockaddr_storage address{};
      std::memcpy(&address, CMSG_DATA(item),
                  item->cmsg_level == SOL_IP ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
      destination = text_of(address);
    }
  return destination + " " + std::string(bytes, static_cast<std::size_t>(got > 0 ? got : 0));
}

std::string connect_and_say(const std::string& family, const std::string& address, int port) {
  return "s = socket.socket(socket." + family + ", socket.SOCK_STREAM)\n" +
         "s.settimeout(10)\ns.connect(('" + address + "', " + std::to_string(port) + "))\n" +
         "s.sendall(b'hello')\nprint(s.recv(9).decode(), flush=True)\n";
}

std::string send_to(const std::string& family, const std::string& address, int port) {
  return "s = socket.socket(socket." + family + ", socket.SOCK_DGRAM)\n" + "s.sendto(b'hello', ('" +
         address + "', " + std::to_string(port) + "))\nprint('sent', flush=True)\n";
}

// One world serves all tests of this program: what others left waiting is thrown away.
bool empty_world() {
  if (!have_world()) return false;
  const auto& sockets = sealed()->world().redirected();
  for (const int listener : {sockets.tcp.get(), sockets.dns_tcp.get()})
    while (subject::FileDescriptor(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)).valid()) {
    }
  char byte = 0;
  for (const int socket : {sockets.udp.get(), sockets.dns_udp.get()})
    while (recv(socket, &byte, 1, 0) >= 0) {
    }
  return true;
}

struct Way {
  std::string family, address;
  int port;
  std::string seen;
};

}  // namespace

TEST_CASE("a TCP connection to any address arrives with its original destination") {
  if (!empty_world()) return;
  for (const auto& way : {Way{"AF_INET", "192.0.2.7", 443, "::ffff:192.0.2.7 443 hello"},
                          Way{"AF_INET", "8.8.8.8", 31337, "::ffff:8.8.8.8 31337 hello"},
                          Way{"AF_INET", "10.1.2.3", 22, "::ffff:10.1.2.3 22 hello"},
                          Way{"AF_INET6", "2001:db8::5", 443, "2001:db8::5 443 hello"},
                          Way{"AF_INET6", "2606:4700::1", 80, "2606:4700::1 80 hello"}}) {
    INFO(way.address);
    subject::FileDescriptor output;
    auto process = start_python(connect_and_say(way.family, way.address, way.port), output);
    CHECK(accept_one(sealed()->world().redirected().tcp.get()) == way.seen);
    CHECK(read_line(output.get()) == "seen\n");
  }
}

TEST_CASE("a UDP packet to any address arrives with its original destination") {
  if (!empty_world()) return;
  for (const auto& way : {Way{"AF_INET", "192.0.2.7", 443, "192.0.2.7 443 hello"},
                          Way{"AF_INET6", "2001:db8::5", 3478, "2001:db8::5 3478 hello"}}) {
    INFO(way.address);
    subject::FileDescriptor output;
    auto process = start_python(send_to(way.family, way.address, way.port), output);
    CHECK(receive_one(sealed()->world().redirected().udp.get()) == way.seen);
  }
}

TEST_CASE("port 53 of any address has sockets of its own") {
  if (!empty_world()) return;
  const auto& sockets = sealed()->world().redirected();
  subject::FileDescriptor output;
  auto tcp = start_python(connect_and_say("AF_INET", "9.9.9.9", 53), output);
  CHECK(accept_one(sockets.dns_tcp.get()) == "::ffff:9.9.9.9 53 hello");
  auto udp = start_python(send_to("AF_INET", catcher::kWorldAddress4, 53), output);
  CHECK(receive_one(sockets.dns_udp.get()) == "198.51.100.1 53 hello");
  auto udp6 = start_python(send_to("AF_INET6", "2001:4860:4860::8888", 53), output);
  CHECK(receive_one(sockets.dns_udp.get()) == "2001:4860:4860::8888 53 hello");
}

TEST_CASE("a listener of the tool is at the world's address") {
  if (!empty_world()) return;
  auto listener = sealed()->listen(0);
  REQUIRE(listener);
  CHECK(listener->address == catcher::kWorldAddress4);
  subject::FileDescriptor output;
  auto process =
      start_python(connect_and_say("AF_INET", listener->address, listener->port), output);
  CHECK(accept_one(listener->socket.get()) ==
        "198.51.100.1 " + std::to_string(listener->port) + " hello");
  CHECK(read_line(output.get()) == "seen\n");
}

TEST_CASE("the subject's own loopback is not redirected, and a door reaches it") {
  if (!empty_world()) return;
  subject::FileDescriptor output;
  auto process = start_python(R"(
l = socket.create_server(('127.0.0.1', 0))
c = socket.create_connection(l.getsockname())
c.sendall(b'mine')
print(l.accept()[0].recv(9).decode(), l.getsockname()[1], flush=True)
print(l.accept()[0].recv(9).decode(), flush=True)
)",
                              output);
  const auto line = read_line(output.get());
  REQUIRE(line.starts_with("mine "));
  const auto door = sealed()->socket(AF_INET, SOCK_STREAM);
  REQUIRE(door);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(line.substr(5))));
  REQUIRE(connect(door->get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(write(door->get(), "door", 4) == 4);
  CHECK(read_line(output.get()) == "door\n");
  pollfd nothing{sealed()->world().redirected().tcp.get(), POLLIN, 0};
  CHECK(poll(&nothing, 1, 0) == 0);
}
