#include "catcher/resolver.hpp"

#include "catcher/loopback.hpp"
#include "catcher/proving.hpp"
#include "catcher/wire/capture.hpp"
#include "catcher/wire/dns_message.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher;
using telltale::test::capture;
using telltale::test::Client;
using telltale::test::comes_true;
using telltale::test::Loopback;
using telltale::test::Octets;
using telltale::test::Proving;

namespace {

struct Resolving {
  explicit Resolving(bool no_such_name = false)
      : resolver(proving.scene, names,
                 {udp.source(), tcp.source(), {}, no_such_name, Endpoint{"127.0.0.1", udp.port}}) {
    proving.scene.set(1, "drive");
    if (!resolver.start(*proving.enclosure)) throw std::runtime_error("no resolver");
  }

  Proving proving;
  NameTable names;
  Loopback tcp{SOCK_STREAM};
  Loopback udp{SOCK_DGRAM, tcp.port};  // one port for both, as 53 is
  Resolver resolver;
};

Octets ask(Client& client, const std::string& name, std::uint16_t type) {
  client.send(wire::make_dns_query(7, name, type));
  return client.hear();
}

}  // namespace

// A connected socket hears its peer only: the answer comes from the address that was asked.
TEST_CASE("a question to any address is answered from there, and is a sighting") {
  Resolving world;
  for (const auto* address : {"127.0.0.1", "127.8.8.8", "::1"}) {
    INFO(address);
    Client client(SOCK_DGRAM, {address, world.udp.port});
    const auto answer = ask(client, "Telemetry.Example", wire::dns::kA);
    REQUIRE(answer.size() > 12);
    CHECK((answer[3] & 0xf) == 0);
    CHECK(answer[7] == 1);
  }
  CHECK(world.names.name_of("198.18.0.1") == "telemetry.example");
  const auto seen = world.resolver.sightings();
  REQUIRE(seen.size() == 3);
  CHECK(seen[1].observer == "resolver");
  CHECK(seen[1].protocol == "dns");
  CHECK(seen[1].host == "telemetry.example");
  CHECK(seen[1].address == "127.8.8.8");
  CHECK(seen[1].said == "DNS question A");
  CHECK(seen[1].launch == 1);
  CHECK(seen[2].address == "::1");
  for (const auto& one : seen) CHECK(one.pid == getpid());
}

TEST_CASE("other types are answered empty, and are sightings all the same") {
  Resolving world;
  Client client(SOCK_DGRAM, {"127.0.0.1", world.udp.port});
  const auto answer = ask(client, "secret.exfiltration.example", wire::dns::kTxt);
  REQUIRE(answer.size() > 12);
  CHECK((answer[3] & 0xf) == 0);
  CHECK(answer[7] == 0);
  CHECK(world.resolver.sightings().at(0).said == "DNS question TXT");
}

TEST_CASE("no such name, by mode; the subject itself has its name in any") {
  Resolving world(true);
  Client client(SOCK_DGRAM, {"127.0.0.1", world.udp.port});
  CHECK((ask(client, "a.example", wire::dns::kA).at(3) & 0xf) == 3);
  const auto self = ask(client, "localhost", wire::dns::kA);
  const Octets loopback = {127, 0, 0, 1};
  CHECK(std::search(self.begin(), self.end(), loopback.begin(), loopback.end()) != self.end());
}

TEST_CASE("over TCP: two questions in pieces on one connection") {
  Resolving world;
  Client client(SOCK_STREAM, {"127.0.0.1", world.tcp.port});
  auto bytes = wire::dns_frame(wire::make_dns_query(1, "a.example", wire::dns::kAaaa));
  const auto second = wire::dns_frame(wire::make_dns_query(2, "b.example", wire::dns::kA));
  bytes.insert(bytes.end(), second.begin(), second.end());
  for (const auto byte : bytes) client.send(Octets{byte});
  Octets heard;
  while (heard.size() < 80) {
    const auto part = client.hear();
    if (part.empty()) break;
    heard.insert(heard.end(), part.begin(), part.end());
  }
  const auto first = wire::first_dns_frame(heard);
  REQUIRE(first);
  CHECK((*first)[1] == 1);
  REQUIRE(comes_true([&] { return world.resolver.sightings().size() == 2; }));
  CHECK(world.resolver.sightings()[0].said == "DNS question AAAA over TCP");
  CHECK(world.resolver.sightings()[1].host == "b.example");
}

TEST_CASE(
    "what is no question is a sighting; a query gets a format error, a broken frame a close") {
  Resolving world;
  Client circle(SOCK_DGRAM, {"127.0.0.1", world.udp.port});
  circle.send(telltale::test::from_hex("123401000001000000000000c00c00010001"));
  CHECK((circle.hear().at(3) & 0xf) == 1);
  Client noise(SOCK_STREAM, {"127.0.0.1", world.tcp.port});
  noise.send(std::string(5000, '\xff'));
  CHECK(noise.hear_all().empty());
  REQUIRE(comes_true([&] { return world.resolver.sightings().size() == 2; }));
  for (const auto& one : world.resolver.sightings()) {
    CHECK(one.said == "a message that is no DNS question");
    CHECK(one.host == "127.0.0.1");
  }
}

TEST_CASE("more connections than are served at once: the oldest goes, the newest is answered") {
  Resolving world;
  std::vector<Client> idle;
  for (std::size_t i = 0; i < Resolver::kConnections + 50; ++i)
    idle.emplace_back(SOCK_STREAM, Endpoint{"127.0.0.1", world.tcp.port});
  idle.back().send(wire::dns_frame(wire::make_dns_query(1, "a.example", wire::dns::kA)));
  CHECK(idle.back().hear().size() > 12);
  CHECK(idle.front().hear().empty());
  CHECK(idle.front().error == 0);
}

TEST_CASE("the resolver's control holds while it serves, and not when it has stopped") {
  Resolving world;
  const auto held = world.resolver.prove("launch 1, before", world.proving.caller);
  CHECK(held.name == "resolver, launch 1, before");
  CHECK(held.held);
  CHECK(held.observed == "answered and recorded");
  CHECK(world.resolver.sightings().empty());
  world.resolver.stop();
  const auto record = world.resolver.record();
  CHECK(record.ran_to_the_end());
  CHECK(record.lost == 0);
  const auto broken = world.resolver.prove("launch 1, after", world.proving.caller);
  CHECK_FALSE(broken.held);
  CHECK_THAT(broken.observed, telltale::test::Holds("TXT by udp: no answer"));
}
