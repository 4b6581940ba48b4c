// SIGINT and SIGTERM of the tool in each phase of a launch. The signal comes from outside, once the
// subject has shown (by a file) that the phase is reached.
#include <unistd.h>

#include <csignal>
#include <thread>

#include "bench.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::Bench;

namespace {

// Sends a signal to this process as soon as the file is there.
class SignalWhen {
 public:
  SignalWhen(int number, std::filesystem::path file)
      : thread_([number, file = std::move(file)] {
          (void)test::eventually([&] { return std::filesystem::exists(file); });
          kill(getpid(), number);
        }) {}
  ~SignalWhen() { thread_.join(); }

 private:
  std::thread thread_;
};

}  // namespace

TEST_CASE("a signal during a set-up step ends it", "[threads]") {
  const int number = GENERATE(SIGINT, SIGTERM);
  const test::TemporaryFolder folder;
  std::filesystem::path scratch;
  {
    Bench bench({"pause"});
    scratch = bench.scratch->path();
    Step step;
    step.name = "init";
    step.call =
        ExecCall{{test::actor(), "detach", "touch:" + (folder / "reached").string(), "pause"}, {}};
    bench.specification.setup = {step};
    const SignalWhen signal(number, folder / "reached");
    const auto prepared = bench.prepare();
    REQUIRE_FALSE(prepared);
    CHECK(prepared.error().fault == Fault::interrupted);
    CHECK(bench.interruption.signal() == number);
  }
  CHECK(test::running_with(test::actor()).empty());
  CHECK_FALSE(std::filesystem::exists(scratch));
}

TEST_CASE("a signal while the subject gets ready ends it", "[threads]") {
  const int number = GENERATE(SIGINT, SIGTERM);
  const auto kind = GENERATE(Readiness::Kind::notify, Readiness::Kind::tcp, Readiness::Kind::exec);
  const test::TemporaryFolder folder;
  std::filesystem::path scratch;
  {
    Bench bench({"detach", "touch:" + (folder / "reached").string(), "pause"});
    scratch = bench.scratch->path();
    bench.specification.ports = {"api"};
    bench.specification.ready = {kind, "api", {"/bin/sleep", "60"}, Milliseconds(60'000)};
    const SignalWhen signal(number, folder / "reached");
    const auto error = bench.start_error();
    CHECK(error.fault == Fault::interrupted);
    CHECK(bench.interruption.signal() == number);
  }
  CHECK(test::running_with(test::actor()).empty());
  CHECK_FALSE(std::filesystem::exists(scratch));
}

TEST_CASE("a signal while the subject runs leaves it to be stopped in order", "[threads]") {
  const test::TemporaryFolder folder;
  Bench bench({"notify:READY=1", "touch:" + (folder / "reached").string(), "pause"});
  const auto launch = bench.ready_by_notify().started();
  const SignalWhen signal(SIGTERM, folder / "reached");
  CHECK(bench.interruption.wait_ms(60'000));
  CHECK(launch->running());
  CHECK(launch->stop().exit.signal == SIGTERM);
  CHECK(test::running_with(test::actor()).empty());
}

TEST_CASE("a signal while the subject is stopped does not cut its grace period short",
          "[threads]") {
  const test::TemporaryFolder folder;
  const std::string reached = (folder / "reached").string();
  Bench bench({});
  // It tidies up for a moment after SIGTERM, and says when it has begun to.
  bench.specification.command = {"/bin/sh", "-c",
                                 "trap 'touch " + reached +
                                     "; sleep 0.2; echo tidied up; exit 0' TERM; touch " +
                                     (folder / "up").string() + "; while :; do sleep 0.01; done"};
  const auto launch = bench.started();
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "up"); }));
  const SignalWhen signal(SIGINT, reached);
  const auto report = launch->stop();
  CHECK(report.exit.clean());
  CHECK_FALSE(report.killed);
  CHECK(test::read_file(launch->log()) == "tidied up\n");
}
