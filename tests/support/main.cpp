// The main of every unit-test program: runs the session, then prints what was skipped. In CI
// (CI=true) a skip is a failure. TELLTALE_TEST_AS=nobody: root runs it as that user.
#ifndef TELLTALE_CATCH2_V3
#define CATCH_CONFIG_RUNNER
#endif
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "support/catch.hpp"
#include "support/requirement.hpp"

namespace {

// Executed anew, by a descriptor: a process that only changes its user is not its own any more to
// /proc, and that user may not be able to reach the file by its path.
[[noreturn]] void become(const passwd& user, char** argv) {
  const int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  unsetenv("TELLTALE_TEST_AS");
  if (setgroups(0, nullptr) == 0 && setgid(user.pw_gid) == 0 && setuid(user.pw_uid) == 0)
    fexecve(program, argv, environ);
  std::perror("TELLTALE_TEST_AS");
  std::_Exit(1);
}

// A copy of the control caller where every user can execute it: the checkout may be out of reach.
// Tests find it by TELLTALE_TEST_CALLER.
std::filesystem::path reachable_caller() {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "telltale-test-as-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return {};
  std::error_code error;
  fs::permissions(folder, fs::perms(0755), error);
  const auto copy = fs::path(folder) / "telltale-caller";
  if (fs::copy_file(fs::read_symlink("/proc/self/exe").parent_path() / copy.filename(), copy,
                    error))
    setenv("TELLTALE_TEST_CALLER", copy.c_str(), 1);
  return folder;
}

// The exit status of the session as that user.
int run_as(const char* name, char** argv) {
  const passwd* user = getpwnam(name);
  if (user == nullptr) {
    std::fprintf(stderr, "TELLTALE_TEST_AS: there is no user %s\n", name);
    return 1;
  }
  const auto folder = reachable_caller();
  const pid_t child = fork();
  if (child == 0) become(*user, argv);
  int status = 1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::error_code error;
  if (!folder.empty()) std::filesystem::remove_all(folder, error);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (const char* user = std::getenv("TELLTALE_TEST_AS"); user != nullptr && geteuid() == 0)
    return run_as(user, argv);
  // A shell without job control ignores it for what it runs in the background (a CI runner does).
  std::signal(SIGINT, SIG_DFL);
  const int failed = Catch::Session().run(argc, argv);
  const int skipped = telltale::test::report_skips();
  return failed != 0 ? failed : skipped;
}
