// A command after `--` on a terminal, sealed. The tool is a process of its own here, in a session
// with a pseudo-terminal, as a shell would run it.
#include "support/terminal.hpp"

#include <unistd.h>

#include <csignal>

#include "inside.hpp"
#include "subject/interruption.hpp"
#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::test;

namespace {

// Exit status of the tool: 100 + the signal that ended the command, else the command's own; 50 more
// when the tool got SIGINT itself.
[[noreturn]] void be_the_sealed_tool(const subject::Argv& argv) {
  const subject::Interruption interruption;
  auto enclosure = catcher::make_sealed_enclosure({});
  if (!enclosure) _exit(97);
  subject::ProcessPlan plan;
  plan.argv = argv;
  plan.environment = {
      {"PATH", "/usr/bin:/bin"}, {"TERM", "dumb"}, {"PS1", "ready>"}, {"HOME", "/"}};
  plan.folder = "/";
  plan.foreground = true;
  auto process = (*enclosure)->start(std::move(plan));
  const auto exit =
      process ? (*process)->wait(subject::Milliseconds(60'000)) : subject::Exit{99, 0, false};
  const int interrupted = interruption.signal() == SIGINT ? 50 : 0;
  _exit(exit ? (exit->signal != 0 ? 100 + exit->signal + interrupted : exit->status) : 98);
}

Terminal sealed_terminal(const subject::Argv& argv) {
  return Terminal([&] { be_the_sealed_tool(argv); });
}

}  // namespace

TEST_CASE("a sealed command has the terminal, and may read from it") {
  if (!have_world()) return;
  auto terminal = sealed_terminal({"sh", "-c",
                                   "test -t 0 && test -t 1 && test -t 2 && echo three; read line; "
                                   "echo \"<$line>\""});
  CHECK(terminal.shows("three"));
  terminal.type("typed\n");
  CHECK(terminal.shows("<typed>"));
  CHECK(terminal.ended() == 0);
}

TEST_CASE("Ctrl-C reaches a sealed command and the tool") {
  if (!have_world()) return;
  auto terminal = sealed_terminal({"sh", "-c", "echo up; sleep 60 & wait"});
  CHECK(terminal.shows("up"));
  terminal.type("\x03");
  CHECK(terminal.ended() == 100 + SIGINT + 50);
}

// Its process group and the terminal's are outside of its PID namespace: both read as 0 inside.
TEST_CASE("a sealed shell has job control") {
  if (!have_world()) return;
  auto terminal = sealed_terminal({"bash", "--norc", "--noprofile", "-i"});
  REQUIRE(terminal.shows("ready>"));  // before that a ^Z may stop the shell itself
  terminal.type("echo g''o; sleep 100\n");
  REQUIRE(terminal.shows("go\r\n"));
  CHECK(eventually([&] {  // the sleep may not have come to the foreground yet
    terminal.type("\x1a");
    return terminal.shows_soon("Stopped");
  }));
  terminal.type("kill -9 %1; echo done$((1+1))\n");
  CHECK(terminal.shows("done2"));
  terminal.type("exit 4\nexit 4\n");  // the first may still know of a stopped job
  CHECK(terminal.ended() == 4);
}
