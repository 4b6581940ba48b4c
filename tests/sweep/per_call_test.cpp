#include "sweep/per_call.hpp"

#include <atomic>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/fake_launch.hpp"
#include "support/plain_sockets.hpp"
#include "support/scripted_server.hpp"

using namespace telltale;
using namespace telltale::sweep;

namespace {

DoorCalls door(const char* name, std::vector<Nanoseconds> samples, const char* phase = "") {
  return {name, phase, std::move(samples)};
}

}  // namespace

TEST_CASE("a quantile is a value that was measured") {
  CHECK(quantile({}, 0.5) == 0);
  CHECK(quantile({7}, 0.95) == 7);
  CHECK(quantile({5, 1, 3}, 0) == 1);
  CHECK(quantile({5, 1, 3}, 0.5) == 3);
  CHECK(quantile({4, 3, 2, 1}, 0.5) == 2);
  Nanoseconds hundred;
  for (int i = 100; i > 0; --i) hundred.push_back(i);
  CHECK(quantile(hundred, 0.95) == 95);
  CHECK(quantile(hundred, 1) == 100);
}

TEST_CASE("a figure is the median of the samples, with their range") {
  const auto figures = figures_of({door("rest", {{10, 10}, {30, 30}, {20, 20}})});
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].calls == 6);
  CHECK(figures[0].p50.median == 20);
  CHECK(figures[0].p50.low == 10);
  CHECK(figures[0].p50.high == 30);
}

TEST_CASE("doors are ranked only where their ranges do not overlap") {
  const auto figures =
      figures_of({door("slow", {{100}, {110}, {120}}), door("fast", {{10}, {11}, {12}}),
                  door("also fast", {{12}, {13}, {14}})});
  CHECK(figures[0].rank == "3");
  CHECK(figures[1].rank == "within noise");
  CHECK(figures[2].rank == "within noise");
  CHECK(figures[0].ratio == Approx(1));
  CHECK(figures[1].ratio == Approx(0.1));
}

TEST_CASE("a phase is compared with itself: with its own first door") {
  const auto figures = figures_of(
      {door("rest", {{100}}), door("rest", {{200}}, "socket"), door("zap", {{100}}, "socket")});
  CHECK(figures[1].ratio == Approx(1));
  CHECK(figures[2].ratio == Approx(0.5));
  CHECK(figures[0].rank == "1");
  CHECK(figures[2].rank == "1");
}

TEST_CASE("the first round is asked, and its times are thrown away") {
  std::atomic<int> asked = 0;
  test::ScriptedServer server([&](test::Connection& connection) {
    while (!connection.request().empty()) {
      ++asked;
      connection.send(test::ok("fine"));
    }
  });
  subject::HttpCall call;
  call.url = server.url("/a");
  subject::Step step;
  step.name = "rest";
  step.call = call;
  subject::Specification specification;
  specification.doors = {step};
  test::FakeLaunch launch;
  test::PlainSockets enclosure;
  const subject::Interruption interruption;
  auto driver = subject::Driver::open(specification, launch, enclosure);
  REQUIRE(driver);
  const auto measured = measure_doors(*driver, 2, "", interruption);
  REQUIRE(measured);
  REQUIRE(measured->size() == 1);
  REQUIRE(measured->front().samples.size() == kSamples);
  for (const auto& sample : measured->front().samples) CHECK(sample.size() == 2);
  CHECK(asked == 1 + kSamples * 2);
}
