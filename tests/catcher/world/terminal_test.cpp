// A command after `--` on a terminal, sealed. The tool is a process of its own here, in a session
// with a pseudo-terminal, as a shell would run it.
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
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

struct SealedTerminal {
  int fd = -1;
  pid_t tool = 0;
  std::string shown;

  explicit SealedTerminal(const subject::Argv& argv) {
    tool = forkpty(&fd, nullptr, nullptr, nullptr);
    if (tool == 0) be_the_sealed_tool(argv);
  }
  ~SealedTerminal() { close(fd); }

  void type(const std::string& text) const {
    REQUIRE(write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  bool shows(const std::string& text) {
    char bytes[4096];
    while (shown.find(text) == std::string::npos) {
      const ssize_t count = read(fd, bytes, sizeof bytes);
      if (count <= 0) return false;
      shown.append(bytes, static_cast<std::size_t>(count));
    }
    return true;
  }
  bool shows_soon(const std::string& text) {
    char bytes[4096];
    for (pollfd more{fd, POLLIN, 0}; poll(&more, 1, 200) > 0;) {
      const ssize_t count = read(fd, bytes, sizeof bytes);
      if (count > 0) shown.append(bytes, static_cast<std::size_t>(count));
      if (count <= 0 || shown.find(text) != std::string::npos) break;
    }
    return shown.find(text) != std::string::npos;
  }
  int ended() {
    (void)shows("\x01 never printed");  // to the end, so that nobody blocks on a full terminal
    int status = 0;
    waitpid(tool, &status, 0);
    return WEXITSTATUS(status);
  }
};

}  // namespace

TEST_CASE("a sealed command has the terminal, and may read from it") {
  if (!have_world()) return;
  SealedTerminal terminal({"sh", "-c",
                           "test -t 0 && test -t 1 && test -t 2 && echo three; read line; "
                           "echo \"<$line>\""});
  CHECK(terminal.shows("three"));
  terminal.type("typed\n");
  CHECK(terminal.shows("<typed>"));
  CHECK(terminal.ended() == 0);
}

TEST_CASE("Ctrl-C reaches a sealed command and the tool") {
  if (!have_world()) return;
  SealedTerminal terminal({"sh", "-c", "echo up; sleep 60 & wait"});
  CHECK(terminal.shows("up"));
  terminal.type("\x03");
  CHECK(terminal.ended() == 100 + SIGINT + 50);
}

// Its process group and the terminal's are outside of its PID namespace: both read as 0 inside.
TEST_CASE("a sealed shell has job control") {
  if (!have_world()) return;
  SealedTerminal terminal({"bash", "--norc", "--noprofile", "-i"});
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
