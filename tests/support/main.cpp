// The main of every unit-test program: runs the session, then prints what was skipped. In CI
// (CI=true) a skip is a failure. TELLTALE_TEST_AS=nobody: root runs it as that user.
#ifndef TELLTALE_CATCH2_V3
#define CATCH_CONFIG_RUNNER
#endif
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "support/catch.hpp"
#include "support/requirement.hpp"

namespace {

// Executed anew, by a descriptor: a process that only changes its user is not its own any more to
// /proc, and that user may not be able to reach the file by its path.
void become(const char* user, char** argv) {
  const passwd* entry = getpwnam(user);
  const int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  unsetenv("TELLTALE_TEST_AS");
  if (entry != nullptr && setgroups(0, nullptr) == 0 && setgid(entry->pw_gid) == 0 &&
      setuid(entry->pw_uid) == 0)
    fexecve(program, argv, environ);
  std::perror("TELLTALE_TEST_AS");
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (const char* user = std::getenv("TELLTALE_TEST_AS"); user != nullptr && geteuid() == 0)
    become(user, argv);
  // A shell without job control ignores it for what it runs in the background (a CI runner does).
  std::signal(SIGINT, SIG_DFL);
  const int failed = Catch::Session().run(argc, argv);
  const int skipped = telltale::test::report_skips();
  return failed != 0 ? failed : skipped;
}
