#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "subject/doors/steps.hpp"
#include "subject/world.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::actor;
using test::ask;

namespace {

Step acts(std::vector<std::string> all) {
  ExecCall call;
  call.command = {actor()};
  call.command.insert(call.command.end(), all.begin(), all.end());
  return test::step_of(call);
}

Step shell(const std::string& script) {
  ExecCall call;
  call.command = {"/bin/sh", "-c", script};
  return test::step_of(call);
}

}  // namespace

TEST_CASE("a command's output, errors and exit status", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  const auto answer = ask(acts({"print:out", "fail:err", "exit:3"}), *enclosure, {});
  REQUIRE(answer);
  CHECK(answer->status == 3);
  CHECK(answer->body == "out\n");
  CHECK(answer->error == "err\n");
  CHECK_FALSE(answer->cut);
  CHECK(answer->took.count() > 0);
}

TEST_CASE("a command is expanded and reads its input", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  Variables variables;
  variables.set("word", "a b");
  ExecCall call;
  call.command = {"/bin/sh", "-c", "cat; echo \"$1\"", "sh", "${word}"};
  SECTION("as it is given") {
    call.stdin_text = "in ${word}\n";
    CHECK(ask(test::step_of(call), *enclosure, variables)->body == "in a b\na b\n");
  }
  SECTION("more than a pipe holds, to a program that does not read it") {
    call.command = {"/bin/sh", "-c", "exit 0"};
    call.stdin_text = std::string(1024 * 1024, 'x');
    CHECK(ask(test::step_of(call), *enclosure, variables)->status == 0);
  }
  SECTION("nothing is an empty input") {
    CHECK(ask(test::step_of(call), *enclosure, variables)->body == "a b\n");
  }
}

TEST_CASE("a command has the subject's environment and folder", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  test::TemporaryFolder folder;
  auto door = open_door(shell("echo $NOTES_KEY; pwd"),
                        {*enclosure, {{"NOTES_KEY", "k"}}, folder.path(), {}});
  REQUIRE(door);
  REQUIRE((*door)->prepare({}));
  CHECK((*door)->call(test::kLong)->body == "k\n" + folder.path().string() + "\n");
}

TEST_CASE("a command that a signal ended", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  const auto step = acts({"die:6"});
  const auto answer = ask(step, *enclosure, {});
  REQUIRE(answer);
  CHECK(answer->status == 134);
  CHECK(test::contains(meets(step, step.expect, *answer).error().what,
                       "killed by signal 6 (SIGABRT)"));
}

TEST_CASE("a command that is not there", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  ExecCall call;
  call.command = {"/nonexistent/program"};
  const auto answer = ask(test::step_of(call), *enclosure, {});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().fault == Fault::input);
  CHECK(test::contains(answer.error().what, "/nonexistent/program"));
}

TEST_CASE("a command that never ends is killed with what it started", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  const auto answer =
      ask(acts({"print:working", "fork", "ignore:15", "pause"}), *enclosure, {}, Milliseconds{300});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().fault == Fault::subject);
  CHECK(test::contains(answer.error().what, "did not end within 300 ms and was killed"));
  CHECK(test::contains(answer.error().what, "it had printed \"working\\n\""));
  CHECK(test::eventually([] { return test::running_with(actor()).empty(); }));
}

TEST_CASE("a command that leaves a child with its output open does not hold the call up",
          "[threads]") {
  const auto enclosure = make_plain_enclosure();
  const auto answer = ask(acts({"print:before", "fork"}), *enclosure, {});
  REQUIRE(answer);
  CHECK(answer->status == 0);
  CHECK(answer->body == "before\n");
  CHECK(test::eventually([] { return test::running_with(actor()).empty(); }));
}

TEST_CASE("a flood of output is cut, and counted on neither side", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  SECTION("that ends") {
    const auto answer = ask(acts({"flood:20000000", "exit:0"}), *enclosure, {});
    REQUIRE(answer);
    CHECK(answer->body.size() == kAnswerLimit);
    CHECK(answer->cut);
    CHECK(answer->status == 0);
  }
  SECTION("that does not end") {
    const auto answer = ask(shell("exec cat /dev/zero"), *enclosure, {}, Milliseconds{300});
    REQUIRE_FALSE(answer);
    CHECK(test::contains(answer.error().what, "did not end within 300 ms"));
  }
  SECTION("on standard error") {
    const auto answer = ask(shell("head -c 1000000 /dev/zero >&2"), *enclosure, {});
    REQUIRE(answer);
    CHECK(answer->error.size() == 64 * 1024);
  }
}

TEST_CASE("the program of a command is known while it runs", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  test::TemporaryFolder folder;
  const auto started = folder / "started";
  auto door =
      open_door(acts({"touch:" + started.string(), "pause"}), {*enclosure, {}, {}, {}}).value();
  REQUIRE(door->prepare({}));
  pid_t seen = 0;
  std::thread observer([&] {
    if (test::eventually([&] { return std::filesystem::exists(started) && door->helper() != 0; }))
      seen = door->helper();
    if (seen != 0) kill(seen, SIGTERM);
  });
  const auto answer = door->call(test::kLong);
  observer.join();
  CHECK(seen != 0);
  REQUIRE(answer);
  CHECK(answer->status == 143);
  CHECK(door->helper() == 0);
}

TEST_CASE("an interruption ends a command", "[threads]") {
  const auto enclosure = make_plain_enclosure();
  const int interrupt = eventfd(1, EFD_CLOEXEC);
  auto door = open_door(acts({"pause"}), {*enclosure, {}, {}, {}, interrupt}).value();
  REQUIRE(door->prepare({}));
  const auto answer = door->call(test::kLong);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().fault == Fault::interrupted);
  CHECK(test::eventually([] { return test::running_with(actor()).empty(); }));
  close(interrupt);
}
