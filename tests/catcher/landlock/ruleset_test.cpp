#include "catcher/landlock/ruleset.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "support/catch.hpp"
#include "support/requirement.hpp"

using namespace telltale;

namespace {

// The errno of an act in a process that the ruleset holds.
int held(int ruleset, const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    if (const int error = catcher::restrict_to(ruleset); error != 0) _exit(255);
    _exit(act() == 0 ? 0 : errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a held process connects no TCP socket, to nowhere, and listens as ever") {
  const auto ruleset = catcher::make_ruleset();
  if (!test::require(ruleset.has_value(), "Landlock with rules for networks")) return;
  const subject::FileDescriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(bind(listener.get(), generic, size) == 0);
  REQUIRE(listen(listener.get(), 8) == 0);
  REQUIRE(getsockname(listener.get(), generic, &size) == 0);
  CHECK(held(ruleset->get(),
             [&] { return connect(socket(AF_INET, SOCK_STREAM, 0), generic, size); }) == EACCES);
  CHECK(held(ruleset->get(), [&] {
          if (fork() == 0) _exit(connect(socket(AF_INET, SOCK_STREAM, 0), generic, size) == 0);
          int status = 0;
          wait(&status);
          return status;
        }) == 0);
  CHECK(held(ruleset->get(), [] { return listen(socket(AF_INET, SOCK_STREAM, 0), 1); }) == 0);
  // What it does not hold, and the broker has to refuse.
  CHECK(held(ruleset->get(),
             [&] { return connect(socket(AF_INET, SOCK_DGRAM, 0), generic, size); }) == 0);
}
