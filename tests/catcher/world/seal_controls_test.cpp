#include "catcher/world/seal_controls.hpp"

#include "inside.hpp"
#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::test;

namespace {

std::vector<evidence::Control> prove_in(subject::Enclosure& enclosure) {
  catcher::Scene scene([] { return std::vector<pid_t>{}; });
  catcher::ControlCaller caller(enclosure, scene, caller_program(), {{"PATH", "/usr/bin"}}, "");
  catcher::ControlRound round(caller);
  catcher::SealControls seal;
  seal.ask(round);
  round.run();
  return seal.check("launch 1, before", round);
}

}  // namespace

TEST_CASE("the seal's controls hold in a sealed world") {
  if (!have_world()) return;
  const auto controls = prove_in(*sealed());
  REQUIRE(controls.size() == 3);
  for (const auto& control : controls) {
    INFO(control.name << ": " << control.observed);
    CHECK(control.held);
  }
  CHECK(controls[0].name == "seal: loopback, launch 1, before");
  CHECK_THAT(controls[0].observed, Holds("refused"));
  CHECK(controls[2].observed == "failed Operation not permitted");
}

TEST_CASE("the seal's controls do not hold on the machine as it is") {
  const auto plain = subject::make_plain_enclosure();
  const auto controls = prove_in(*plain);
  CHECK_FALSE(controls[0].held);
  CHECK(controls[0].observed == "it was reached from inside");
  CHECK_FALSE(controls[1].held);
  // An ordinary user may not enter its own network namespace either: only root is let in.
  CHECK(controls[2].held == (controls[2].observed != "entered"));
}
