// A launch of the actor, ready to be changed by a test.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../world.hpp"
#include "subject/launch.hpp"
#include "support/catch.hpp"

namespace telltale::test {

struct Bench {
  subject::Interruption interruption;
  std::unique_ptr<Enclosure> enclosure = subject::make_plain_enclosure();
  subject::Specification specification;
  Result<subject::Scratch> scratch = subject::Scratch::make();

  explicit Bench(std::vector<std::string> acts) {
    specification.name = "actor";
    specification.folder = "/";
    specification.command = std::move(acts);
    specification.command.insert(specification.command.begin(), actor());
    specification.stop.grace = subject::Milliseconds(60'000);
  }

  // By sd_notify, with a limit.
  Bench& ready_by_notify(subject::Milliseconds timeout = subject::Milliseconds(60'000)) {
    specification.ready.kind = subject::Readiness::Kind::notify;
    specification.ready.timeout = timeout;
    return *this;
  }

  [[nodiscard]] Result<std::unique_ptr<subject::Launch>> prepare(
      subject::LaunchOptions options = {}) {
    return subject::Launch::prepare(specification, *enclosure, interruption, scratch->path(),
                                    std::move(options));
  }

  // Prepared and started; both must do well.
  [[nodiscard]] std::unique_ptr<subject::Launch> started(subject::LaunchOptions options = {}) {
    auto launch = prepare(std::move(options));
    if (!launch) FAIL(launch.error().text());
    const auto ready = (*launch)->start();
    if (!ready) FAIL(ready.error().text());
    return std::move(*launch);
  }
  // Prepared, and its start must fail.
  [[nodiscard]] Error start_error(subject::LaunchOptions options = {}) {
    auto launch = prepare(std::move(options));
    if (!launch) return launch.error();
    const auto ready = (*launch)->start();
    REQUIRE_FALSE(ready);
    return ready.error();
  }
};

// No process of the actor is left on this machine.
inline bool nobody_left() {
  return eventually([] { return running_with(actor()).empty(); });
}

}  // namespace telltale::test
