#include "catcher/ledger/ledger.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "catcher/control_caller.hpp"
#include "forking_enclosure.hpp"
#include "network_pair.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"

using namespace telltale;
using namespace telltale::catcher;

namespace {

struct LedgerStage {
  test::NetworkPair pair;
  Scene scene{[] { return std::vector<pid_t>{}; }};
  test::ForkingEnclosure enclosure;
  ControlCaller caller{enclosure, scene, TELLTALE_CALLER, {}, ""};
  Ledger ledger{scene, pair.in_world(), "world0"};

  explicit LedgerStage(test::NetworkPair made) : pair(std::move(made)) {
    enclosure.network = pair.subject();
    scene.set(1, "control");
    REQUIRE(ledger.start(enclosure));
  }

  // One UDP packet to each of `count` addresses from 10.0.0.0 on.
  void send_to_many(std::uint32_t count) {
    REQUIRE(pair.in_subject()([&]() -> Result<> {
      const subject::FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(9);
      for (std::uint32_t i = 0; i < count; ++i) {
        to.sin_addr.s_addr = htonl(0x0a000000 + i);
        if (sendto(socket.get(), "x", 1, 0, reinterpret_cast<sockaddr*>(&to), sizeof to) != 1)
          return fail(Fault::instrument, "sendto");
      }
      return {};
    }));
  }
};

std::optional<test::NetworkPair> ledger_pair() {
  auto pair = test::NetworkPair::make();
  if (!test::require(pair.has_value(), "root and ip(8), to make network namespaces"))
    return std::nullopt;
  return pair;
}

}  // namespace

TEST_CASE("the ledger counts a caller's TCP, UDP and ICMP, by phase") {
  auto pair = ledger_pair();
  if (!pair) return;
  LedgerStage stage(std::move(*pair));
  const auto control = stage.ledger.prove("launch 1, before", stage.caller);
  INFO(control.observed);
  CHECK(control.held);
  stage.scene.set(1, "drive");
  for (int i = 0; i < 3; ++i)
    REQUIRE(stage.caller.run({"tcp", "192.0.2.7", "4444"})->output.find("refused") == 0);
  REQUIRE(stage.caller.run({"udp", "2001:db8:5::7", "53", "x"})->exit.clean());
  stage.scene.set(1, "idle");
  stage.ledger.stop();
  CHECK(stage.ledger.record().ran_to_the_end());

  const auto all = stage.ledger.sightings();
  CHECK(all.size() == 8);
  for (const auto& sighting : all) {
    INFO(sighting.protocol << " " << sighting.host);
    if (sighting.phase == "control") {
      CHECK(stage.scene.is_control(sighting.host, sighting.port));
      continue;
    }
    CHECK(sighting.phase == "drive");
    CHECK((sighting.protocol == "tcp" ? sighting.host == "192.0.2.7" && sighting.count == 3
                                      : sighting.host == "2001:db8:5::7" && sighting.port == 53));
  }
}

TEST_CASE("a ledger at an interface that nothing passes fails its control") {
  auto pair = ledger_pair();
  if (!pair) return;
  LedgerStage stage(std::move(*pair));
  Ledger idle(stage.scene, stage.pair.in_subject(), "lo");
  REQUIRE(idle.start(stage.enclosure));
  const auto control = idle.prove("launch 1, before", stage.caller);
  CHECK_FALSE(control.held);
  CHECK(control.observed.find("was not counted") != std::string::npos);
  CHECK_FALSE(Ledger(stage.scene, stage.pair.in_world(), "nosuch0").start(stage.enclosure));
}

TEST_CASE("a thousand destinations are all there, and a full set is a failure that is named") {
  auto pair = ledger_pair();
  if (!pair) return;
  LedgerStage stage(std::move(*pair));
  stage.scene.set(1, "drive");
  stage.send_to_many(1000);
  stage.scene.set(1, "idle");
  CHECK(stage.ledger.sightings().size() == 1000);
  CHECK(stage.ledger.record().failure.empty());
  stage.send_to_many(kLedgerDestinations + 100);
  stage.ledger.stop();
  const auto record = stage.ledger.record();
  CHECK_FALSE(record.ran_to_the_end());
  CHECK(record.failure.find("udp4") != std::string::npos);
}
