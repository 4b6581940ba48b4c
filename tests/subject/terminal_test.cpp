// A command after `--` on a terminal. The tool is a process of its own here, in a session with a
// pseudo-terminal, as a shell would run it.
#include "support/terminal.hpp"

#include <unistd.h>

#include <csignal>

#include "subject/enclosure.hpp"
#include "subject/interruption.hpp"
#include "subject/process_tree.hpp"
#include "support/catch.hpp"
#include "world.hpp"

using namespace telltale;
using namespace telltale::subject;

namespace {

// Exit status of the tool: 100 + the signal that ended the command, else the command's own.
[[noreturn]] void be_the_tool(const std::string& script) {
  const Interruption interruption;
  const auto enclosure = make_plain_enclosure();
  ProcessPlan plan;
  plan.argv = {"/bin/sh", "-c", script};
  plan.foreground = true;
  auto process = enclosure->start(std::move(plan));
  const auto exit = process ? (*process)->wait(Milliseconds(60'000)) : Exit{99, 0, false};
  const int interrupted = interruption.signal() == SIGINT ? 50 : 0;
  _exit(exit ? (exit->signal != 0 ? 100 + exit->signal + interrupted : exit->status) : 98);
}

test::Terminal terminal_of(const std::string& script) {
  return test::Terminal([&] { be_the_tool(script); });
}

}  // namespace

TEST_CASE("a foreground command has the terminal, and may read from it") {
  auto terminal =
      terminal_of("test -t 0 && test -t 1 && test -t 2 && echo three; read line; echo \"<$line>\"");
  CHECK(terminal.shows("three"));
  terminal.type("typed\n");
  CHECK(terminal.shows("<typed>"));
  CHECK(terminal.ended() == 0);
}

TEST_CASE("Ctrl-C reaches a foreground command and the tool") {
  auto terminal = terminal_of("echo up; sleep 60 & wait");
  CHECK(terminal.shows("up"));
  terminal.type("\x03");
  CHECK(terminal.ended() == 100 + SIGINT + 50);
}

// What a shell with job control does at Ctrl-Z and `fg`; the kernel itself would not stop this
// group, because no shell is there to wake it (it is orphaned).
TEST_CASE("a foreground command is stopped and continued with the tool's process group") {
  auto terminal = terminal_of("echo up; read line; echo \"<$line>\"");
  CHECK(terminal.shows("up"));
  kill(-terminal.tool, SIGSTOP);
  CHECK(test::eventually([&] {
    int stopped = 0;
    for (const auto& entry : read_processes())
      if (entry.pid == terminal.tool || entry.parent == terminal.tool)
        stopped += entry.state == 'T' ? 1 : 0;
    return stopped == 2;
  }));
  kill(-terminal.tool, SIGCONT);
  terminal.type("again\n");
  CHECK(terminal.shows("<again>"));
  CHECK(terminal.ended() == 0);
}
