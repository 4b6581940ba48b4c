#include "catcher/world/user_namespace.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <functional>
#include <string>

#include "catcher/world/world.hpp"
#include "inside.hpp"
#include "support/catch.hpp"

using namespace telltale;

namespace {

// What World::make says in a process of its own, after `spoil` made it impossible there.
std::string refusal_after(const std::function<bool()>& spoil) {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool spoilt = spoil();
    const auto world = catcher::World::make({});
    const std::string said = !spoilt ? "not spoilt" : world ? "made" : world.error().text();
    [[maybe_unused]] const ssize_t written = write(ends[1], said.data(), said.size());
    _exit(0);
  }
  close(ends[1]);
  char text[2048];
  const ssize_t got = read(ends[0], text, sizeof text);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return std::string(text, static_cast<std::size_t>(got > 0 ? got : 0));
}

// As Docker's default profile does.
bool refuse_unshare() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{4, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// The limit of a user namespace of its own; the machine's stays.
bool allow_no_network_namespaces() {
  if (unshare(CLONE_NEWUSER) != 0) return false;
  const int file = open("/proc/sys/user/max_net_namespaces", O_WRONLY | O_CLOEXEC);
  return file >= 0 && write(file, "0", 1) == 1;
}

}  // namespace

TEST_CASE("a container that refuses unshare is said, with the flags that allow it") {
  const auto said = refusal_after(refuse_unshare);
  CHECK_THAT(said, test::Holds("the sealed world cannot be made"));
  CHECK_THAT(said, test::Holds("Operation not permitted"));
  CHECK_THAT(said, test::Holds("--security-opt seccomp=unconfined"));
}

TEST_CASE("a limit of no namespaces is said, with the sysctl") {
  if (!test::have_world()) return;
  const auto said = refusal_after(allow_no_network_namespaces);
  CHECK_THAT(said, test::Holds("a network namespace was refused: No space left on device"));
  CHECK_THAT(said, test::Holds("user.max_net_namespaces"));
}

TEST_CASE("a map gives every id of this namespace as itself") {
  CHECK(catcher::identity_map("         0          0 4294967295\n") == "0 0 4294967295\n");
  CHECK(catcher::identity_map("  1000 1000 1\n  5000 100000 65536\n") ==
        "1000 1000 1\n5000 5000 65536\n");
  CHECK(catcher::identity_map("").empty());
}
