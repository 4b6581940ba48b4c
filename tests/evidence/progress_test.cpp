#include "evidence/progress.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "evidence/terminal.hpp"
#include "support/catch.hpp"

using namespace telltale::evidence;
using telltale::Fault;

TEST_CASE("progress is one line that the next message takes away") {
  std::ostringstream out;
  {
    Messages messages(out, Verbosity::normal, true, 80);
    messages.progress("round 1 of 20");
    messages.progress("round 2 of 20");  // too soon after the first
    messages.say("done");
  }
  CHECK(out.str() == "round 1 of 20\r\x1b[Kdone\n");
}

TEST_CASE("progress is cut to the terminal and taken away at the end") {
  std::ostringstream out;
  {
    Messages messages(out, Verbosity::normal, true, 10);
    messages.progress("0123456789\n");
  }
  CHECK(out.str() == "012345678\r\x1b[K");
}

TEST_CASE("an event stays, and is for those who see progress") {
  std::ostringstream shown, hidden;
  Messages(shown, Verbosity::normal, true, 80).event("seen");
  Messages(hidden, Verbosity::verbose, false, 80).event("seen");
  CHECK(shown.str() == "seen\n");
  CHECK(hidden.str().empty());
}

TEST_CASE("no progress where it is not a terminal, or where quiet was asked") {
  std::ostringstream out;
  Messages(out, Verbosity::verbose, false, 80).progress("x");
  Messages(out, Verbosity::quiet, true, 80).progress("x");
  CHECK(out.str().empty());
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  Messages(out, null, Verbosity::normal).progress("x");
  CHECK(out.str().empty());
  CHECK_FALSE(is_terminal(null));
  CHECK_FALSE(color_wanted(null, false));
  CHECK(terminal_width(null) == 80);
  close(null);
}

TEST_CASE("quiet keeps warnings and errors, verbose adds details") {
  const auto said = [](Verbosity verbosity) {
    std::ostringstream out;
    Messages messages(out, verbosity, false, 80);
    messages.say("s");
    messages.detail("d");
    messages.warn("w");
    messages.error({Fault::input, "e", "f"});
    return out.str();
  };
  CHECK(said(Verbosity::quiet) == "warning: w\nerror: e\n  fix: f\n");
  CHECK(said(Verbosity::normal) == "s\nwarning: w\nerror: e\n  fix: f\n");
  CHECK(said(Verbosity::verbose) == "s\nd\nwarning: w\nerror: e\n  fix: f\n");
}

TEST_CASE("quoted output neither forges a message nor reaches the terminal") {
  std::ostringstream out;
  Messages(out, Verbosity::normal, false, 80)
      .error({Fault::subject, "it exited: \x1b[31m\nerror: forged\rx", ""});
  CHECK(out.str() == "error: it exited: \\x1b[31m\n    error: forged\\rx\n");
}

TEST_CASE("colour is for capable terminals whose user did not refuse it") {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(terminal >= 0);
  const auto* before = std::getenv("TERM");
  const std::string term = before != nullptr ? before : "";
  unsetenv("NO_COLOR");
  setenv("TERM", "xterm", 1);
  CHECK(color_wanted(terminal, false));
  CHECK_FALSE(color_wanted(terminal, true));
  setenv("NO_COLOR", "1", 1);
  CHECK_FALSE(color_wanted(terminal, false));
  setenv("NO_COLOR", "", 1);  // empty: as if it were not there
  CHECK(color_wanted(terminal, false));
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  CHECK_FALSE(color_wanted(terminal, false));
  setenv("TERM", term.c_str(), 1);
  close(terminal);
}
