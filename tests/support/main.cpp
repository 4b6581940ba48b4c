// The main of every unit-test program: runs the session, then prints what was skipped. In CI
// (CI=true) a skip is a failure.
#ifndef TELLTALE_CATCH2_V3
#define CATCH_CONFIG_RUNNER
#endif
#include <csignal>

#include "support/catch.hpp"
#include "support/requirement.hpp"

int main(int argc, char** argv) {
  // A shell without job control ignores it for what it runs in the background (a CI runner does).
  std::signal(SIGINT, SIG_DFL);
  const int failed = Catch::Session().run(argc, argv);
  const int skipped = telltale::test::report_skips();
  return failed != 0 ? failed : skipped;
}
