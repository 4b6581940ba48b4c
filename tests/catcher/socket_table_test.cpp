#include "catcher/socket_table.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>

#include "support/catch.hpp"

using namespace telltale::catcher;

namespace {

constexpr pid_t kSubject = 77;

RawSocket tcp(std::uint32_t inode, std::uint16_t local, std::uint16_t peer,
              const char* peer_address = "127.0.0.1") {
  RawSocket socket;
  socket.protocol = IPPROTO_TCP;
  socket.family = AF_INET;
  socket.state = peer == 0 ? TCP_LISTEN : TCP_ESTABLISHED;
  socket.local_port = local;
  socket.peer_port = peer;
  socket.inode = inode;
  if (peer != 0) inet_pton(AF_INET, peer_address, socket.peer);
  return socket;
}

RawSocket udp(std::uint32_t inode, std::uint16_t peer) {
  auto socket = tcp(inode, 5353, peer, "192.0.2.1");
  socket.protocol = IPPROTO_UDP;
  socket.state = peer == 0 ? TCP_CLOSE : TCP_ESTABLISHED;
  return socket;
}

struct Passes {
  SocketTable table;
  std::unordered_map<std::uint32_t, pid_t> owners;
  int asked = 0;

  void pass(const std::vector<RawSocket>& sockets, int launch = 1) {
    for (const auto& socket : sockets) table.meet(socket);
    table.resolve(
        [this] {
          ++asked;
          return owners;
        },
        {launch, "drive"});
  }
};

}  // namespace

TEST_CASE("a connection is recorded once, with its process") {
  Passes passes;
  passes.owners = {{10, kSubject}};
  for (int i = 0; i < 3; ++i) passes.pass({tcp(10, 4000, 443, "192.0.2.1")});
  REQUIRE(passes.table.connections().size() == 1);
  CHECK(passes.table.connections()[0].pid == kSubject);
  CHECK(passes.asked == 1);
}

TEST_CASE("a socket that nobody of ours holds is asked for three times, then left alone") {
  Passes passes;
  for (int i = 0; i < 10; ++i) passes.pass({tcp(10, 4000, 443)});
  CHECK(passes.asked == 3);
  CHECK(passes.table.connections().empty());
}

TEST_CASE("an owner found on the second try counts") {
  Passes passes;
  passes.pass({tcp(10, 4000, 443, "192.0.2.1")});
  passes.owners = {{10, kSubject}};
  passes.pass({tcp(10, 4000, 443, "192.0.2.1")});
  CHECK(passes.table.connections().size() == 1);
}

TEST_CASE("a listener tells incoming connections and the subject talking to itself") {
  Passes passes;
  passes.owners = {{1, kSubject}, {2, kSubject}, {3, kSubject}, {4, kSubject}, {5, kSubject}};
  passes.pass({tcp(1, 8080, 0), tcp(2, 8080, 51000), tcp(3, 51001, 8080), tcp(4, 51002, 9999),
               tcp(5, 51003, 8080, "192.0.2.1")});
  const auto& all = passes.table.connections();
  REQUIRE(all.size() == 4);
  CHECK(passes.table.incoming(all[0]));
  CHECK_FALSE(passes.table.incoming(all[1]));
  CHECK(passes.table.to_itself(all[1]));
  CHECK_FALSE(passes.table.to_itself(all[2]));  // a loopback port of somebody else is a way out
  CHECK_FALSE(passes.table.to_itself(all[3]));  // the same port elsewhere
}

TEST_CASE("a listener of one launch does not excuse a connection of the next") {
  Passes passes;
  passes.owners = {{1, kSubject}, {2, kSubject}};
  passes.pass({tcp(1, 8080, 0)}, 1);
  passes.pass({tcp(2, 51001, 8080)}, 2);
  CHECK_FALSE(passes.table.to_itself(passes.table.connections().at(0)));
}

TEST_CASE("a UDP socket that is connected later is seen then") {
  Passes passes;
  passes.owners = {{10, kSubject}};
  for (int i = 0; i < 5; ++i) passes.pass({udp(10, 0)});
  CHECK(passes.table.connections().empty());
  passes.pass({udp(10, 53)});
  CHECK(passes.table.connections().size() == 1);
}

TEST_CASE("a listener is remembered after its end, but not a client's UDP socket") {
  Passes passes;
  passes.owners = {{10, kSubject}, {11, kSubject}, {12, kSubject}};
  auto client = udp(12, 0);
  client.local_port = 40000;
  passes.pass({tcp(10, 4000, 0), udp(11, 0), client});
  passes.pass({});
  const auto& met = passes.table.met_listeners();
  REQUIRE(met.size() == 2);
  CHECK(met[0].socket.port == 4000);
  CHECK(met[0].moment.launch == 1);
  CHECK_FALSE(met[0].socket.udp);
  CHECK(met[1].socket.port == 5353);
  CHECK(met[1].socket.udp);
}
