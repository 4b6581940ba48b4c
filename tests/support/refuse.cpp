// Starts a program on a machine that refuses it something, as containers and hardened systems do.
// Only that program and what it starts are concerned.
//
//   refuse namespaces COMMAND...   a seccomp filter: unshare, setns and clone with namespaces give
//                                  EPERM, clone3 ENOSYS (Docker's default profile)
//   refuse users COMMAND...        a limit of no user namespaces, in a user namespace of its own,
//                                  with the caller's ids
//   refuse landlock COMMAND...     a seccomp filter: there is no Landlock (ENOSYS)
//   refuse notification COMMAND... a seccomp filter with a listener: there can be no other (EBUSY)
//
// Exit status: the command's; 99 when it could not be refused.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kCouldNotRefuse = 99;
constexpr unsigned kNamespaceFlags = CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID |
                                     CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

constexpr sock_filter load(std::size_t offset) {
  return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<unsigned>(offset)};
}
constexpr sock_filter skip_unless(unsigned number, unsigned char instructions) {
  return {BPF_JMP | BPF_JEQ | BPF_K, 0, instructions, number};
}
constexpr sock_filter answer(unsigned what) {
  return {BPF_RET | BPF_K, 0, 0, what};
}

// What seccomp(2) gives; with a filter of no listener 0.
long install(const std::vector<sock_filter>& filter, unsigned flags = 0) {
  const sock_fprog program{static_cast<unsigned short>(filter.size()),
                           const_cast<sock_filter*>(filter.data())};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

bool refuse_namespaces() {
  return install({load(offsetof(seccomp_data, nr)),
                  skip_unless(SYS_unshare, 1),
                  answer(SECCOMP_RET_ERRNO | EPERM),
                  skip_unless(SYS_setns, 1),
                  answer(SECCOMP_RET_ERRNO | EPERM),
                  skip_unless(SYS_clone3, 1),
                  answer(SECCOMP_RET_ERRNO | ENOSYS),
                  skip_unless(SYS_clone, 3),
                  load(offsetof(seccomp_data, args)),
                  {BPF_JMP | BPF_JSET | BPF_K, 0, 1, kNamespaceFlags},
                  answer(SECCOMP_RET_ERRNO | EPERM),
                  answer(SECCOMP_RET_ALLOW)}) == 0;
}

bool refuse_landlock() {
  return install({load(offsetof(seccomp_data, nr)), skip_unless(SYS_landlock_create_ruleset, 1),
                  answer(SECCOMP_RET_ERRNO | ENOSYS), answer(SECCOMP_RET_ALLOW)}) == 0;
}

bool refuse_notification() {
  const long listener = install({answer(SECCOMP_RET_ALLOW)}, SECCOMP_FILTER_FLAG_NEW_LISTENER);
  return listener >= 0 && fcntl(static_cast<int>(listener), F_SETFD, 0) == 0;  // open for good
}

bool write_all(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool written =
      file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) close(file);
  return written;
}

bool refuse_users() {
  const auto uid = std::to_string(geteuid());
  const auto gid = std::to_string(getegid());
  return unshare(CLONE_NEWUSER) == 0 && write_all("/proc/self/setgroups", "deny") &&
         write_all("/proc/self/uid_map", uid + " " + uid + " 1") &&
         write_all("/proc/self/gid_map", gid + " " + gid + " 1") &&
         write_all("/proc/sys/user/max_user_namespaces", "0");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  const bool refused = what == "namespaces"     ? refuse_namespaces()
                       : what == "users"        ? refuse_users()
                       : what == "landlock"     ? refuse_landlock()
                       : what == "notification" ? refuse_notification()
                                                : false;
  if (refused) execvp(argv[2], argv + 2);
  std::fprintf(stderr, "refuse: %s: %s\n", what.c_str(), std::strerror(errno));
  return kCouldNotRefuse;
}
