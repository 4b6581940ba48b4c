#include "catcher/closed_sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <thread>

#include "catcher/agreement.hpp"
#include "catcher/attempt.hpp"
#include "catcher/capture/tap.hpp"
#include "catcher/control_caller.hpp"
#include "catcher/ledger/ledger.hpp"
#include "forking_enclosure.hpp"
#include "network_pair.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"

using namespace telltale;
using namespace telltale::catcher;

namespace {

// The witness and the three that count, over a pair of networks.
struct ClosedStage {
  test::NetworkPair pair;
  Scene scene{[] { return std::vector<pid_t>{}; }};
  Witness witness{scene};
  test::ForkingEnclosure enclosure;
  ControlCaller caller{enclosure, scene, TELLTALE_CALLER, {}, ""};
  Ledger ledger{scene, pair.in_world(), "world0"};
  ClosedSockets closed{scene, pair.in_subject(),
                       [this](std::uint64_t cookie) { return witness.owner_of(cookie); },
                       [this] { return ledger.openings(); }};
  Tap tap{scene, {pair.in_world(), "world0", {}}};

  explicit ClosedStage(test::NetworkPair made) : pair(std::move(made)) {
    REQUIRE(witness.start(enclosure));
    enclosure.network = pair.subject();
    enclosure.witness = &witness;
    scene.set(1, "control");
    REQUIRE(closed.start(enclosure));
    REQUIRE(tap.start(enclosure));
    REQUIRE(ledger.start(enclosure));
  }

  void drive() {
    scene.set(1, "drive");
    for (const auto& act : std::vector<subject::Argv>{{"tcp", "192.0.2.7", "4444"},
                                                      {"tcp", "192.0.2.7", "4444"},
                                                      {"tcp", "2001:db8:5::7", "443"},
                                                      {"udp", "192.0.2.8", "53", "x"},
                                                      {"udp-connect", "192.0.2.9", "9"},
                                                      {"ping", "192.0.2.10", "x"}})
      REQUIRE(caller.run(act)->exit.clean());
  }

  FlowAccounts stop() {
    tap.stop();
    ledger.stop();
    closed.stop();
    witness.stop();
    return {ledger.counts(), tap.flows(), closed.tcp_counts()};
  }
};

std::optional<test::NetworkPair> closed_pair() {
  auto pair = test::NetworkPair::make();
  if (!test::require(pair.has_value(), "root and ip(8), to make network namespaces"))
    return std::nullopt;
  return pair;
}

std::optional<Sighting> sighting_of(const std::vector<Sighting>& all, const std::string& host) {
  for (const auto& sighting : all)
    if (sighting.host == host) return sighting;
  return std::nullopt;
}

}  // namespace

TEST_CASE("every closed socket is told, with its program through the witness") {
  auto pair = closed_pair();
  if (!pair) return;
  ClosedStage stage(std::move(*pair));
  const auto control = stage.closed.prove("launch 1, before", stage.caller);
  INFO(control.observed);
  CHECK(control.held);
  stage.drive();
  stage.stop();
  CHECK(stage.closed.record().ran_to_the_end());
  CHECK(stage.closed.record().lost == 0);
  const auto tcp = sighting_of(stage.closed.sightings(), "2001:db8:5::7");
  REQUIRE(tcp);
  CHECK(tcp->protocol == "tcp");
  CHECK(tcp->port == 0);  // refused
  CHECK(tcp->executable == TELLTALE_CALLER);
  CHECK(tcp->command_line.find("tcp 2001:db8:5::7 443") != std::string::npos);
  const auto udp = sighting_of(stage.closed.sightings(), "192.0.2.9");
  REQUIRE(udp);
  CHECK(udp->kind == "udp connect");
  CHECK(stage.closed.tcp_counts().at({"tcp", "192.0.2.7", 0}) == 2);
}

TEST_CASE("closed sockets of another network are not told: the control fails") {
  auto pair = closed_pair();
  if (!pair) return;
  ClosedStage stage(std::move(*pair));
  ClosedSockets elsewhere(stage.scene, stage.pair.in_world());
  REQUIRE(elsewhere.start(stage.enclosure));
  stage.enclosure.network = stage.pair.subject();
  // World's own ends are closed there too: what is missing is the destination.
  const auto control = elsewhere.prove("launch 1, before", stage.caller);
  CHECK_FALSE(control.held);
  CHECK(control.observed.find("was not told") != std::string::npos);
}

TEST_CASE("a socket still open at the end counts") {
  auto pair = closed_pair();
  if (!pair) return;
  ClosedStage stage(std::move(*pair));
  subject::FileDescriptor open;
  REQUIRE(stage.pair.in_subject()([&]() -> Result<> {
    open = subject::FileDescriptor(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_port = htons(77);
    inet_pton(AF_INET, "192.0.2.77", &peer.sin_addr);
    if (connect(open.get(), reinterpret_cast<sockaddr*>(&peer), sizeof peer) == 0) return {};
    return fail(Fault::instrument, "connect");
  }));
  stage.stop();
  CHECK(sighting_of(stage.closed.sightings(), "192.0.2.77"));
}

TEST_CASE("ledger, tap and closed sockets agree, and a UDP connect without a packet is told") {
  auto pair = closed_pair();
  if (!pair) return;
  ClosedStage stage(std::move(*pair));
  CHECK(stage.ledger.prove("launch 1, before", stage.caller).held);
  CHECK(stage.tap.prove("launch 1, before", stage.caller).held);
  stage.drive();
  auto accounts = stage.stop();
  const auto control = agreement_control(accounts);
  INFO(control.observed);
  CHECK(control.held);
  CHECK(accounts.ledger.size() >= 10);

  auto all = stage.witness.sightings();
  for (auto& captured : stage.tap.sightings()) all.push_back(std::move(captured));
  const auto merged = merge(std::move(all));
  REQUIRE(sighting_of(merged.remarks, "192.0.2.9"));
  CHECK(sighting_of(merged.remarks, "192.0.2.9")->kind == "nothing sent");

  SECTION("a flow that the tap has not is named") {
    for (auto flow = accounts.tap.begin(); flow != accounts.tap.end();)
      flow = flow->first.host() == "192.0.2.8" ? accounts.tap.erase(flow) : std::next(flow);
    const auto failed = agreement_control(accounts);
    CHECK_FALSE(failed.held);
    CHECK(failed.observed == "udp to 192.0.2.8:53: ledger 1 packets, tap 0");
  }
  SECTION("a flow that the ledger has not is named") {
    accounts.ledger.erase({"icmp", "192.0.2.10", 0});
    CHECK(disagreements(accounts) ==
          std::vector<std::string>{"icmp to 192.0.2.10: ledger 0 packets, tap 1"});
  }
  SECTION("a connection of which no socket was closed is named") {
    accounts.closed.erase({"tcp", "192.0.2.7", 0});
    CHECK(
        disagreements(accounts) ==
        std::vector<std::string>{"tcp to 192.0.2.7:4444: ledger and tap 2 SYNs, 0 sockets closed"});
  }
  SECTION("a socket without a SYN is named") {
    accounts.closed[{"tcp", "192.0.2.99", 1}] = 1;
    CHECK(disagreements(accounts).size() == 1);
  }
}

TEST_CASE("thousands of short connections and packets are all counted, three times the same") {
  auto pair = closed_pair();
  if (!pair) return;
  constexpr int kConnections = 3000;
  constexpr std::uint32_t kPackets = 10'000;
  constexpr std::uint32_t kDestinations = 1000;
  ClosedStage stage(std::move(*pair));
  subject::Listener listener;
  REQUIRE(stage.pair.in_world()([&]() -> Result<> {
    listener.socket = subject::FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_port = htons(443);
    if (bind(listener.socket.get(), reinterpret_cast<sockaddr*>(&any), sizeof any) == 0 &&
        listen(listener.socket.get(), SOMAXCONN) == 0)
      return {};
    return fail(Fault::instrument, "listen");
  }));
  std::thread server([&] {
    for (int i = 0; i < kConnections; ++i)
      subject::FileDescriptor(accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
  });
  const auto sent = stage.pair.in_subject()([&]() -> Result<> {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(443);
    inet_pton(AF_INET, "192.0.2.7", &to.sin_addr);
    for (int i = 0; i < kConnections; ++i) {
      const subject::FileDescriptor one(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (connect(one.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
        return fail(Fault::instrument, "connect");
    }
    const subject::FileDescriptor datagrams(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    for (std::uint32_t i = 0; i < kPackets; ++i) {
      to.sin_addr.s_addr = htonl(0x0a000000 + i % kDestinations);
      if (sendto(datagrams.get(), "x", 1, 0, reinterpret_cast<sockaddr*>(&to), sizeof to) != 1)
        return fail(Fault::instrument, "sendto");
    }
    return {};
  });
  server.join();
  REQUIRE(sent);
  const auto accounts = stage.stop();
  CHECK(stage.tap.record().lost == 0);
  CHECK(stage.closed.record().lost == 0);
  CHECK(accounts.closed.at({"tcp", "192.0.2.7", 443}) == kConnections);
  CHECK(accounts.ledger.at({"tcp", "192.0.2.7", 443}).packets == kConnections);
  CHECK(accounts.ledger.size() == kDestinations + 1);
  const auto control = agreement_control(accounts);
  INFO(control.observed);
  CHECK(control.held);
}
