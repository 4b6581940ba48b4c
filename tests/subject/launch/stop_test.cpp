// stop(): nobody is left, whatever the subject does about it.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "bench.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::Bench;

TEST_CASE("a subject ends by the signal that its file names", "[threads]") {
  Bench bench({"notify:READY=1", "pause"});
  bench.specification.stop.signal = SIGINT;
  const auto launch = bench.ready_by_notify().started();
  const auto report = launch->stop();
  CHECK(report.exit.signal == SIGINT);
  CHECK_FALSE(report.exited_by_itself);
  CHECK_FALSE(report.killed);
  CHECK_FALSE(launch->running());
  CHECK(launch->tree().empty());
  CHECK(launch->stop().exit.signal == SIGINT);
}

TEST_CASE("a subject that ignores its signal is killed when the grace period is over",
          "[threads]") {
  Bench bench({"ignore:15", "notify:READY=1", "pause"});
  bench.specification.stop.grace = Milliseconds(50);
  const auto launch = bench.ready_by_notify().started();
  const auto report = launch->stop();
  CHECK(report.killed);
  CHECK(report.exit.signal == SIGKILL);
  CHECK(test::nobody_left());
}

TEST_CASE("a subject that is stopped still gets its signal", "[threads]") {
  Bench bench({"notify:READY=1", "die:19", "pause"});
  const auto launch = bench.ready_by_notify().started();
  ProcessEntry entry;
  REQUIRE(
      test::eventually([&] { return read_process(launch->pid(), entry) && entry.state == 'T'; }));
  const auto report = launch->stop();
  CHECK(report.exit.signal == SIGTERM);
  CHECK_FALSE(report.killed);
}

TEST_CASE("what detached itself is found, named and stopped", "[threads]") {
  const auto act = GENERATE("detach", "detach-stopped", "detach-deaf", "fork");
  Bench bench({act, "notify:READY=1", "pause"});
  if (std::string(act) == "detach-deaf") bench.specification.stop.grace = Milliseconds(300);
  const auto launch = bench.ready_by_notify().started();
  REQUIRE(test::eventually([&] { return launch->tree().size() == 2; }));
  const auto report = launch->stop();
  CHECK(report.exit.signal == SIGTERM);
  REQUIRE(report.detached.size() == 1);
  CHECK_THAT(report.detached.front(), test::Holds(" " + test::actor()));
  CHECK(report.killed == (std::string(act) == "detach-deaf"));
  CHECK(report.left.empty());
  CHECK(test::running_with(test::actor()).empty());
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);  // and nothing is left to reap
}

TEST_CASE("what detached itself and outlived a subject that exits is found", "[threads]") {
  Bench bench({"detach", "detach", "exit:0"});
  const auto launch = bench.started();
  REQUIRE(test::eventually([&] { return !launch->running(); }));
  const auto report = launch->stop();
  CHECK(report.exited_by_itself);
  CHECK(report.exit.clean());
  CHECK(report.detached.size() == 2);
  CHECK(test::running_with(test::actor()).empty());
}

TEST_CASE("in the foreground, what detached itself is found too", "[threads]") {
  Bench bench({"detach", "exit:5"});
  LaunchOptions options;
  options.foreground = true;
  const auto launch = bench.started(options);
  REQUIRE(test::eventually([&] { return !launch->running(); }));
  const auto report = launch->stop();
  CHECK(report.exit.status == 5);
  CHECK(report.detached.size() == 1);
  CHECK(test::running_with(test::actor()).empty());
}

TEST_CASE("a grandchild that holds the output open does not hold up the end", "[threads]") {
  Bench bench({"print:hello", "detach-deaf", "exit:0"});
  bench.specification.stop.grace = Milliseconds(50);
  const auto launch = bench.started();
  REQUIRE(test::eventually([&] { return !launch->running(); }));
  const auto report = launch->stop();
  CHECK(report.output_bytes == 6);
  CHECK(test::nobody_left());
}

TEST_CASE("a launch that is let go of stops its subject", "[threads]") {
  Bench bench({"detach", "notify:READY=1", "pause"});
  { const auto launch = bench.ready_by_notify().started(); }
  CHECK(test::running_with(test::actor()).empty());
}

TEST_CASE("a flood of 1 GB is counted, watched, and kept up to the limit", "[threads]") {
  constexpr std::uint64_t kFlood = 1'000'000'000;
  Bench bench({"flood:" + std::to_string(kFlood), "print:the end", "exit:0"});
  auto launch = bench.prepare();
  REQUIRE(launch);
  std::uint64_t watched = 0;
  (*launch)->on_output([&](std::string_view chunk) { watched += chunk.size(); });
  REQUIRE((*launch)->start());
  while ((*launch)->running()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto report = (*launch)->stop();
  CHECK(report.exit.clean());
  CHECK(report.output_bytes == kFlood + 8);
  CHECK(watched == kFlood + 8);
  CHECK(report.output_kept == kOutputLimit);
  CHECK(std::filesystem::file_size((*launch)->log()) == kOutputLimit);
  CHECK((*launch)->last_output(1).ends_with("the end\n"));
}

TEST_CASE("processes that fork while they are killed are all ended", "[threads]") {
  Bench bench({});
  bench.specification.stop.grace = Milliseconds(1);
  bench.specification.command = {"/bin/sh", "-c",
                                 "trap '' TERM; for i in 1 2 3 4; do (trap '' TERM; while :; do " +
                                     test::actor() + " ignore:15 sleep:5; done) & done; wait"};
  const auto launch = bench.started();
  REQUIRE(test::eventually([&] { return launch->tree().size() > 4; }));
  const auto report = launch->stop();
  CHECK(report.left.empty());
  CHECK(test::running_with(test::actor()).empty());
}

TEST_CASE("of a background subject only its first process is asked to end its children",
          "[threads]") {
  Bench bench({});
  bench.specification.command = {
      "/bin/sh", "-c",
      "setsid /bin/sh -c 'trap \"echo asked; kill -9 \\$!; exit 0\" TERM; "
      "(trap \"echo child asked; exit 0\" TERM; touch up; while :; do sleep 0.01; done) & "
      "while :; do sleep 0.01; done' & exit 0"};
  bench.specification.ready = {
      Readiness::Kind::exec, {}, {"/usr/bin/test", "-e", "${work}/up"}, Milliseconds(60'000)};
  const auto launch = bench.started();
  const auto report = launch->stop();
  CHECK_FALSE(report.killed);
  CHECK(test::read_file(launch->log()) == "asked\n");
}
