#include <fcntl.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "subject/enclosure.hpp"
#include "subject/interruption.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "world.hpp"

using namespace telltale;
using namespace telltale::subject;
using telltale::test::require;
using telltale::test::run_actor;

TEST_CASE("a process gives its exit status and its output") {
  const auto enclosure = make_plain_enclosure();
  const auto ran = run_actor(*enclosure, {"print:out", "fail:err", "exit:7"});
  REQUIRE(ran);
  CHECK(ran->exit.text() == "exit status 7");
  CHECK(ran->output == "out\nerr\n");
}

TEST_CASE("a process that a signal ended says which") {
  const auto enclosure = make_plain_enclosure();
  const auto ran = run_actor(*enclosure, {"die:9"});
  REQUIRE(ran);
  CHECK(ran->exit.signal == SIGKILL);
}

TEST_CASE("a process has the planned environment and nothing else") {
  const auto enclosure = make_plain_enclosure();
  const auto ran = run_actor(*enclosure, {"env"}, [](ProcessPlan& plan) {
    plan.environment = {{"ONE", "1"}, {"EMPTY", ""}, {"SPACED", "a b=c"}};
  });
  REQUIRE(ran);
  CHECK(ran->output == "ONE=1\nEMPTY=\nSPACED=a b=c\n");
}

TEST_CASE("a process runs in its folder") {
  const auto enclosure = make_plain_enclosure();
  const test::TemporaryFolder folder;
  const auto ran =
      run_actor(*enclosure, {"folder"}, [&](ProcessPlan& plan) { plan.folder = folder.path(); });
  REQUIRE(ran);
  CHECK(ran->output == "folder " + folder.path().string() + "\n");
}

TEST_CASE("no descriptor of the tool reaches a process") {
  const auto enclosure = make_plain_enclosure();
  const FileDescriptor leaky(open("/dev/null", O_RDONLY));
  const FileDescriptor high(fcntl(leaky.get(), F_DUPFD, 900));
  const auto ran = run_actor(*enclosure, {"fds"});
  REQUIRE(ran);
  CHECK(ran->output == "fds 0 1 2\n");
  CHECK(fcntl(leaky.get(), F_GETFD) == 0);  // and the tool's own copy is as it was
}

TEST_CASE("no blocked and no ignored signal reaches a process") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const auto enclosure = make_plain_enclosure();
  {
    const Interruption interruption;
    const auto ran = run_actor(*enclosure, {"mask"});
    REQUIRE(ran);
    CHECK(ran->output == "blocked ignored\n");
  }
  std::signal(SIGPIPE, before);
}

TEST_CASE("a process has a session of its own") {
  const auto enclosure = make_plain_enclosure();
  const auto ran = run_actor(*enclosure, {"ids"});
  REQUIRE(ran);
  CHECK_THAT(ran->output, test::Holds("own-session yes"));
}

TEST_CASE("a foreground process shares the tool's session and what its caller ignores") {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  const auto enclosure = make_plain_enclosure();
  const auto foreground = [](ProcessPlan& plan) { plan.foreground = true; };
  const auto ran = run_actor(*enclosure, {"ids", "mask"}, foreground);
  std::signal(SIGHUP, before);
  REQUIRE(ran);
  CHECK_THAT(ran->output, test::Holds("own-session no"));
  CHECK_THAT(ran->output, test::Holds("ignored 1\n"));
}

TEST_CASE("standard input is empty unless one is given") {
  const auto enclosure = make_plain_enclosure();
  const auto shell = [](ProcessPlan& plan) { plan.argv = {"/bin/cat"}; };
  const auto empty = run_actor(*enclosure, {}, shell);
  REQUIRE(empty);
  CHECK(empty->output.empty());
  const auto given = run_actor(*enclosure, {}, [&](ProcessPlan& plan) {
    shell(plan);
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    REQUIRE(write(ends[1], "hello", 5) == 5);
    close(ends[1]);
    plan.input = FileDescriptor(ends[0]);
  });
  REQUIRE(given);
  CHECK(given->output == "hello");
}

TEST_CASE("another user is taken on with its groups, and root cannot be taken back") {
  const passwd* nobody = getpwnam("nobody");
  if (!require(geteuid() == 0 && nobody != nullptr, "root, to become the user nobody")) return;
  const auto uid = nobody->pw_uid;
  const auto gid = nobody->pw_gid;
  const auto enclosure = make_plain_enclosure();
  const auto ran = run_actor(*enclosure, {"ids"}, [](ProcessPlan& plan) {
    plan.argv = {"/bin/sh", "-c", "id -u; id -g; id -G"};
    plan.environment = {{"PATH", "/usr/bin:/bin"}};
    plan.user = "nobody";
  });
  REQUIRE(ran);
  const std::string group = std::to_string(gid) + "\n";
  CHECK(ran->output == std::to_string(uid) + "\n" + group + group);
}

TEST_CASE("a process can be waited for, signalled and polled") {
  const auto enclosure = make_plain_enclosure();
  ProcessPlan plan;
  plan.argv = {test::actor(), "pause"};
  auto process = enclosure->start(std::move(plan));
  REQUIRE(process);
  CHECK_FALSE((*process)->poll());
  CHECK_FALSE((*process)->wait(Milliseconds(1)));
  (*process)->signal(SIGTERM);
  const auto exit = (*process)->wait(Milliseconds(60'000));
  REQUIRE(exit);
  CHECK(exit->signal == SIGTERM);
  CHECK((*process)->poll()->signal == SIGTERM);
  (*process)->signal(SIGKILL);  // nobody is there: nothing happens
}

TEST_CASE("a process that is let go of is killed and reaped") {
  const auto enclosure = make_plain_enclosure();
  pid_t pid = 0;
  {
    ProcessPlan plan;
    plan.argv = {test::actor(), "ignore:15", "pause"};
    auto process = enclosure->start(std::move(plan));
    REQUIRE(process);
    pid = (*process)->pid();
    CHECK(test::alive(pid));
  }
  CHECK(kill(pid, 0) == -1);
}

// The tool is a process of its own here, killed as hard as can be.
TEST_CASE("a process does not outlive a tool that is killed") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const pid_t tool = fork();
  if (tool == 0) {
    const auto enclosure = make_plain_enclosure();
    ProcessPlan plan;
    plan.argv = {test::actor(), "pause"};
    auto process = enclosure->start(std::move(plan));
    const pid_t pid = process ? (*process)->pid() : 0;
    if (write(ends[1], &pid, sizeof pid) != sizeof pid) _exit(1);
    for (;;) pause();
  }
  pid_t pid = 0;
  REQUIRE(read(ends[0], &pid, sizeof pid) == sizeof pid);
  REQUIRE(pid > 0);
  CHECK(test::alive(pid));
  kill(tool, SIGKILL);
  waitpid(tool, nullptr, 0);
  CHECK(test::eventually([&] { return !test::alive(pid); }));
}

TEST_CASE("the plain enclosure says that it is reduced, and in what") {
  const auto assurance = make_plain_enclosure()->assurance();
  CHECK(assurance.reduced);
  CHECK(assurance.unseen.size() >= 5);
}

TEST_CASE("a port that is taken is the instrument's failure, with its number") {
  const auto enclosure = make_plain_enclosure();
  const auto first = enclosure->listen();
  REQUIRE(first);
  CHECK(first->address == "127.0.0.1");
  CHECK(first->port != 0);
  const auto second = enclosure->listen(first->port);
  REQUIRE_FALSE(second);
  CHECK(second.error().fault == Fault::instrument);
  CHECK_THAT(second.error().what,
             test::Holds(std::to_string(first->port)) && test::Holds("in use"));
}
