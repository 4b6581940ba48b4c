#include "subject/process.hpp"

#include <csignal>

#include "support/catch.hpp"

using telltale::subject::Exit;
using telltale::subject::exit_of;

TEST_CASE("how a process ended is said in words") {
  CHECK(Exit{}.text() == "exit status 0");
  CHECK(Exit{3, 0, false}.text() == "exit status 3");
  CHECK(Exit{0, SIGSEGV, false}.text() == "killed by signal 11 (SIGSEGV)");
  CHECK(Exit{0, SIGABRT, true}.text() == "killed by signal 6 (SIGABRT), core dumped");
  CHECK(Exit{0, 63, false}.text() == "killed by signal 63");
}

TEST_CASE("only exit status 0 without a signal is a clean end") {
  CHECK(Exit{}.clean());
  CHECK_FALSE(Exit{1, 0, false}.clean());
  CHECK_FALSE(Exit{0, SIGKILL, false}.clean());
}

TEST_CASE("a wait status is taken apart") {
  CHECK(exit_of(3 << 8).status == 3);
  CHECK(exit_of(SIGKILL).signal == SIGKILL);
  CHECK(exit_of(SIGSEGV | 0x80).core);
}
