#include "catcher/datagram_sink.hpp"

#include "catcher/loopback.hpp"
#include "catcher/proving.hpp"
#include "catcher/wire/capture.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher;
using telltale::test::capture;
using telltale::test::Client;
using telltale::test::comes_true;
using telltale::test::Loopback;
using telltale::test::Proving;

namespace {

struct Sinking {
  Sinking()
      : sink(proving.scene, names,
             {udp.source(), {}, {{"127.0.0.1", udp.port}, {"::1", udp.port}}}) {
    proving.scene.set(1, "drive");
    if (!sink.start(*proving.enclosure)) throw std::runtime_error("no sink");
  }
  [[nodiscard]] Client client(const std::string& address = "127.0.0.1") const {
    return Client(SOCK_DGRAM, {address, udp.port});
  }
  [[nodiscard]] std::uint64_t packets() const {
    std::uint64_t sum = 0;
    for (const auto& one : sink.sightings()) sum += one.count;
    return sum;
  }

  Proving proving;
  NameTable names;
  Loopback udp{SOCK_DGRAM};
  DatagramSink sink;
};

}  // namespace

TEST_CASE("a packet has its destination, what it says, and its program") {
  Sinking world;
  const auto client = world.client("127.7.7.7");
  client.send("hello there");
  REQUIRE(comes_true([&] { return world.packets() == 1; }));
  const auto seen = world.sink.sightings().at(0);
  CHECK(seen.protocol == "udp");
  CHECK(seen.host == "127.7.7.7");
  CHECK(seen.port == world.udp.port);
  CHECK(seen.said == "11 bytes, \"hello there\"");
  CHECK(seen.payload == 11);
  CHECK(seen.pid == getpid());
}

TEST_CASE("a QUIC Initial names its server, over IPv6 too") {
  Sinking world;
  world.client("::1").send(capture("quic_initial/aioquic-v1.bin"));
  REQUIRE(comes_true([&] { return world.packets() == 1; }));
  const auto seen = world.sink.sightings().at(0);
  CHECK(seen.said == "QUIC Initial, SNI quic.example, ALPN h3, TLS 1.3");
  CHECK(seen.server_name == "quic.example");
  CHECK(seen.host == "::1");
}

TEST_CASE("an Initial of another version, and one that was changed, are QUIC that is not read") {
  Sinking world;
  auto other = capture("quic_initial/aioquic-v1.bin");
  other[1] = 0xff;
  world.client().send(other);
  REQUIRE(comes_true([&] { return world.packets() == 1; }));
  CHECK(world.sink.sightings().at(0).said == "QUIC of version 0xff000001, not read");
}

TEST_CASE("packets of one flow are one sighting; a thousand destinations are a thousand") {
  Sinking world;
  const auto client = world.client();
  for (int i = 0; i < 50; ++i) client.send("x");
  std::uint64_t sent = 50;
  for (int i = 0; i < 1000; ++i) {
    world.client("127.1." + std::to_string(i / 250) + "." + std::to_string(1 + i % 250)).send("y");
    ++sent;
    if (i % 50 == 0) REQUIRE(comes_true([&] { return world.packets() == sent; }));
  }
  REQUIRE(comes_true([&] { return world.packets() == sent; }));
  CHECK(world.sink.sightings().size() == 1001);
  world.sink.stop();
  CHECK(world.sink.record().lost == 0);
}

TEST_CASE("packets that the kernel dropped are counted as lost") {
  Sinking world;
  world.sink.stop();  // nobody reads any more
  Loopback full(SOCK_DGRAM);
  DatagramSink late(world.proving.scene, world.names, {full.source(), {}, {}});
  const int small = 1;
  setsockopt(full.socket.get(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  const Client client(SOCK_DGRAM, {"127.0.0.1", full.port});
  for (int i = 0; i < 500; ++i) client.send(std::string(1000, 'x'));
  REQUIRE(late.start(*world.proving.enclosure));
  late.stop();
  CHECK(late.record().lost > 0);
}

TEST_CASE("the sink's control holds while it reads, and not when it has stopped") {
  Sinking world;
  const auto held = world.sink.prove("launch 1, before", world.proving.caller);
  INFO(held.observed);
  CHECK(held.held);
  CHECK(world.sink.sightings().empty());
  world.sink.stop();
  CHECK_FALSE(world.sink.prove("launch 1, after", world.proving.caller).held);
}
