// start(): readiness, and every way in which it does not come.
#include <unistd.h>

#include "bench.hpp"
#include "support/requirement.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::Bench;
using test::Holds;

TEST_CASE("a subject that says READY=1 is ready, and not before", "[threads]") {
  Bench bench({"notify:STATUS=warming up", "sleep:30", "notify:READY=1", "pause"});
  const auto launch = bench.ready_by_notify().started();
  CHECK(launch->running());
  CHECK(launch->boot_ms() >= 20);
  CHECK(launch->tree() == std::vector<pid_t>{launch->pid()});
}

TEST_CASE("a subject is ready when its port accepts a connection", "[threads]") {
  Bench bench({"sleep:20", "tcp:${port.api}", "pause"});
  bench.specification.ports = {"api"};
  bench.specification.ready.kind = Readiness::Kind::tcp;
  bench.specification.ready.target = "api";
  const auto launch = bench.started();
  const auto sockets = launch->listeners();
  REQUIRE(sockets.size() == 1);
  CHECK(std::to_string(sockets.front().port) == *launch->variables().find("port.api"));
}

TEST_CASE("a subject is ready when its unix socket accepts a connection", "[threads]") {
  Bench bench({"sleep:20", "unix:${work}/s.sock", "pause"});
  bench.specification.ready.kind = Readiness::Kind::unix_socket;
  bench.specification.ready.target = "${work}/s.sock";
  CHECK(bench.started()->running());
}

TEST_CASE("a subject is ready when a command ends with 0", "[threads]") {
  Bench bench({"sleep:20", "touch:${work}/up", "pause"});
  bench.specification.ready.kind = Readiness::Kind::exec;
  bench.specification.ready.command = {"/usr/bin/test", "-e", "${work}/up"};
  CHECK(bench.started()->running());
}

TEST_CASE("a program that is missing is the subject's fault, named") {
  Bench bench({});
  bench.specification.command = {"/no/such/program"};
  const auto error = bench.start_error();
  CHECK(error.fault == Fault::subject);
  CHECK_THAT(error.what, Holds("/no/such/program does not exist"));
}

TEST_CASE("a program that is not executable is told from one that is missing") {
  const test::TemporaryFolder folder;
  Bench bench({});
  bench.specification.command = {folder.write("program", "#!/bin/sh\n").string()};
  const auto error = bench.start_error();
  CHECK(error.fault == Fault::subject);
  CHECK_THAT(error.what, Holds("program is not executable"));
  CHECK_THAT(error.fix, Holds("chmod +x"));
}

TEST_CASE("a subject that exits at once is quoted with its exit status and last lines",
          "[threads]") {
  Bench bench({"print:loading", "fail:no licence\x1b[2J", "exit:3"});
  bench.ready_by_notify();
  const auto error = bench.start_error();
  CHECK(error.fault == Fault::subject);
  CHECK_THAT(error.what, Holds("actor ended before it was ready, with exit status 3"));
  CHECK_THAT(error.what, Holds("\n    loading\n    no licence\\x1b[2J"));
  CHECK(test::nobody_left());
}

TEST_CASE("a subject that exits at once without a word says so", "[threads]") {
  Bench bench({"die:6"});
  bench.ready_by_notify();
  CHECK_THAT(bench.start_error().what,
             Holds("killed by signal 6 (SIGABRT)") && Holds("it printed nothing"));
}

TEST_CASE("a subject that never gets ready is stopped and quoted", "[threads]") {
  Bench bench({"print:still loading", "notify:STATUS=page 3 of 9", "pause"});
  bench.ready_by_notify(Milliseconds(1000));
  const auto error = bench.start_error();
  CHECK(error.fault == Fault::subject);
  CHECK_THAT(error.what, Holds("actor was not ready within 1 s") && Holds("page 3 of 9") &&
                             Holds("    still loading"));
  CHECK(test::nobody_left());
}

TEST_CASE("what was asked in vain is quoted", "[threads]") {
  Bench bench({"pause"});
  bench.specification.ports = {"api"};
  bench.specification.ready = {Readiness::Kind::tcp, "api", {}, Milliseconds(50)};
  CHECK_THAT(bench.start_error().what, Holds("127.0.0.1") || Holds("localhost"));
}

TEST_CASE("readiness over HTTP is asked until the answer is good", "[threads]") {
  Bench bench({"pause"});
  bench.specification.ports = {"api"};
  bench.specification.ready = {
      Readiness::Kind::http, "http://127.0.0.1:${port.api}/healthz", {}, Milliseconds(50)};
  const auto error = bench.start_error();
  CHECK(error.fault == Fault::subject);
  CHECK_THAT(error.what, Holds("was not ready within"));
}

TEST_CASE("a subject that dies half-way is seen, and quoted", "[threads]") {
  Bench bench({"notify:READY=1", "await:${work}/go", "print:panic: out of ideas", "exit:70"});
  const auto launch = bench.ready_by_notify().started();
  CHECK(launch->running());
  test::write_file(launch->work() / "go", "");
  REQUIRE(test::eventually([&] { return !launch->running(); }));
  CHECK_THAT(launch->ended_error().what,
             Holds("actor ended by itself, with exit status 70") && Holds("panic: out of ideas"));
  const auto report = launch->stop();
  CHECK(report.exited_by_itself);
  CHECK(report.exit.status == 70);
}

TEST_CASE("a subject that goes into the background is followed", "[threads]") {
  Bench bench({"daemon", "sleep:20", "tcp:${port.api}", "print:daemon up", "pause"});
  bench.specification.ports = {"api"};
  bench.specification.ready = {Readiness::Kind::tcp, "api", {}, Milliseconds(60'000)};
  const auto launch = bench.started();
  CHECK(launch->running());
  CHECK(launch->listeners().size() == 1);
  const auto report = launch->stop();
  CHECK_FALSE(report.exited_by_itself);
  CHECK(report.detached.empty());
  CHECK(test::nobody_left());
}

TEST_CASE("a subject that goes into the background once it is ready is followed", "[threads]") {
  Bench bench({"notify:READY=1", "daemon", "touch:${work}/second", "await:${work}/go", "exit:1"});
  const auto launch = bench.ready_by_notify().started();
  REQUIRE(test::eventually([&] { return std::filesystem::exists(launch->work() / "second"); }));
  CHECK_FALSE(test::alive(launch->pid()));
  CHECK(launch->running());
  SECTION("and stopped") {
    const auto report = launch->stop();
    CHECK_FALSE(report.exited_by_itself);
    CHECK(report.detached.empty());
    CHECK(test::nobody_left());
  }
  SECTION("and seen to die") {
    test::write_file(launch->work() / "go", "");
    CHECK(test::eventually([&] { return !launch->running(); }));
  }
}

TEST_CASE("a background subject that dies is seen", "[threads]") {
  Bench bench({"daemon", "notify:READY=1", "await:${work}/go", "exit:1"});
  const auto launch = bench.ready_by_notify().started();
  CHECK(launch->running());
  test::write_file(launch->work() / "go", "");
  CHECK(test::eventually([&] { return !launch->running(); }));
}

TEST_CASE("a subject can be started again in the same folders", "[threads]") {
  Bench bench({"touch:${data}/kept", "print:boot", "notify:READY=1", "pause"});
  const auto launch = bench.ready_by_notify().started();
  const auto first = launch->pid();
  launch->stop();
  REQUIRE(launch->start());
  CHECK(launch->pid() != first);
  CHECK(std::filesystem::exists(launch->data() / "kept"));
  launch->stop();
  CHECK(test::read_file(launch->log()) == "boot\nboot\n");
}

TEST_CASE("a subject runs as its user, in folders that it can use", "[threads]") {
  if (!test::require(geteuid() == 0, "root, to become the user nobody")) return;
  Bench bench({});
  bench.specification.user = "nobody";
  bench.specification.files = {{"conf", "x"}};
  bench.specification.command = {"/bin/sh", "-c",
                                 "id -un; cat conf; echo y > data/new && echo written; "
                                 "touch \"$HOME/h\" \"$TMPDIR/t\" && echo both; echo $USER"};
  const auto launch = bench.started();
  CHECK(test::eventually([&] { return !launch->running(); }));
  launch->stop();
  CHECK(test::read_file(launch->log()) == "nobody\nxwritten\nboth\nnobody\n");
}
