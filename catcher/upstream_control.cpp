#include "catcher/upstream_control.hpp"

#include <fmt/core.h>

#include <chrono>

#include "subject/driver.hpp"

namespace telltale::catcher {

Result<> UpstreamControl::run(int number, evidence::LaneRecord& record) {
  evidence::Control control{"upstream control",
                            "",
                            evidence::Polarity::positive,
                            "the same program with its upstream switched on is seen",
                            "",
                            false};
  const auto started = launch(number, control.name, record);
  const auto seen = watch_.seen_in_launch(number);
  control.held = seen > 0;
  control.observed = control.held ? fmt::format("seen {} times", seen)
                     : !started   ? "it did not run: " + started.error().what
                                  : "not seen: nothing shows that this program can be seen";
  record.grounds.required_controls.push_back(control.name);
  record.grounds.controls.push_back(std::move(control));
  if (!started && started.error().fault == Fault::interrupted) return started;
  return {};
}

Result<> UpstreamControl::launch(int number, const std::string& name,
                                 evidence::LaneRecord& record) {
  Companions companions;
  auto done = maker_.start(companions, number, name);
  if (done) {
    auto prepared = maker_.prepare(number, name, &*specification_.egress->control);
    done = prepared ? (*prepared)->start() : Result<>(pass_on(prepared.error()));
    if (done) done = drive_until_seen(number, **prepared);
    if (prepared) (*prepared)->stop();
  }
  companions.stop(name, record);
  return done;
}

Result<> UpstreamControl::drive_until_seen(int number, subject::Launch& launch) {
  using Clock = std::chrono::steady_clock;
  watch_.scene().set(number, "drive");
  auto driver = subject::Driver::open(specification_, launch, watch_.enclosure());
  if (!driver) return pass_on(std::move(driver.error()));
  const auto end = Clock::now() + specification_.egress->window;
  auto done = driver->enter();
  while (done && watch_.seen_in_launch(number) == 0 && Clock::now() < end) {
    done = driver->rounds(1, context_.interruption);
    if (context_.interruption.wait_ms(20)) break;
  }
  return done;
}

}  // namespace telltale::catcher
