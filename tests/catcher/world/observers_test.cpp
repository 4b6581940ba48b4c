// The observers that do not answer, in the sealed world itself: as root and as an ordinary user.
#include <algorithm>

#include "catcher/agreement.hpp"
#include "catcher/capture/tap.hpp"
#include "catcher/closed_sockets.hpp"
#include "catcher/control_caller.hpp"
#include "catcher/ledger/ledger.hpp"
#include "catcher/witness/start_hook.hpp"
#include "inside.hpp"
#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::catcher;
using namespace telltale::test;

TEST_CASE("witness, tap, ledger and closed sockets hold their controls in the sealed world") {
  if (!have_world()) return;
  auto& enclosure = *sealed();
  auto& world = enclosure.world();
  const Within in_world = [&](const auto& work) { return world.in_world(work); };
  const Within in_subject = [&](const auto& work) { return world.in_subject(work); };
  Scene scene([] { return std::vector<pid_t>{}; });
  Witness witness(scene);
  ClosedSockets closed(scene, in_subject,
                       [&](std::uint64_t cookie) { return witness.owner_of(cookie); });
  Tap tap(scene, {in_world, kWorldLink, {}});
  Ledger ledger(scene, in_world, kWorldLink);
  const std::vector<Observer*> all{&witness, &closed, &tap, &ledger};
  for (auto* observer : all) {
    const auto started = observer->start(enclosure);
    INFO(observer->name());
    if (!started) FAIL(started.error().text());
  }
  enclosure.set_hooks(witness_hooks(witness));
  scene.set(1, "control");
  ControlCaller caller(enclosure, scene, caller_program(), {}, "");
  for (auto* observer : all) {
    const auto control = observer->prove("launch 1, before", caller);
    INFO(control.name << ": " << control.observed);
    CHECK(control.held);
  }

  scene.set(1, "drive");
  const auto subject = python_inside(R"(
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("192.0.2.9", 9))
s = socket.create_connection(("192.0.2.7", 443))
s.close()
try_(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 253))
)");
  CHECK(subject.output == "EPERM\n");
  scene.set(1, "stop");
  enclosure.set_hooks({});
  for (auto* observer : all) {
    observer->stop();
    INFO(observer->name() << ": " << observer->record().failure);
    CHECK(observer->record().ran_to_the_end());
    CHECK(observer->record().lost == 0);
  }
  const auto agreed = agreement_control({ledger.counts(), tap.flows(), closed.tcp_counts()});
  INFO(agreed.observed);
  CHECK(agreed.held);

  const auto witnessed = witness.sightings();
  const auto find = [&](const std::string& host) {
    return std::find_if(witnessed.begin(), witnessed.end(),
                        [&](const auto& sighting) { return sighting.host == host; });
  };
  REQUIRE(find("192.0.2.7") != witnessed.end());
  CHECK(find("192.0.2.7")->executable.find("python3") != std::string::npos);
  CHECK(find("192.0.2.7")->phase == "drive");
  REQUIRE(find("192.0.2.9") != witnessed.end());
  CHECK(find("192.0.2.9")->kind == "udp connect");
  CHECK(find("raw socket") != witnessed.end());  // the refusal itself is seen
  for (const auto& sightings : {tap.sightings(), ledger.sightings(), closed.sightings()})
    CHECK(std::any_of(sightings.begin(), sightings.end(), [](const auto& sighting) {
      return sighting.host == "192.0.2.7" && sighting.port == 443 && sighting.phase != "control";
    }));
}
