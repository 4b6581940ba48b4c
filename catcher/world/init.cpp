#include "catcher/world/init.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

#include "catcher/world/remedy.hpp"
#include "catcher/world/user_namespace.hpp"
#include "subject/process/children.hpp"

namespace telltale::catcher {

namespace {

// Process 1 ends last: the kernel waits until all others are reaped, by the tool where they are its
// own. One that the tool never reaps would keep it; it is dead by then all the same.
constexpr int kEndMs = 5'000;

enum class InitStage : int { parent_death = 1, network, mounts, users, ready };

// What process 1 says: a stage that failed, or that it is ready for its maps.
struct InitWord {
  InitStage stage = InitStage::ready;
  int error = 0;
  int step = 0;  // of the mounts
  bool process_limit_set = false;
};

class InitProcess {
 public:
  InitProcess(int network, const MountPlan& mounts, int channel, std::string process_limit)
      : network_(network),
        mounts_(mounts),
        channel_(channel),
        process_limit_(std::move(process_limit)) {}

  [[noreturn]] void run() const {
    InitWord word;
    die_with_the_tool();
    if (setns(network_, CLONE_NEWNET) != 0) leave({InitStage::network, errno, 0, false});
    if (const int step = run_mounts(mounts_.steps); step >= 0)
      leave({InitStage::mounts, errno, step, false});
    word.process_limit_set = limit_processes();
    [[maybe_unused]] const int protection = run_mounts(mounts_.protection);
    if (unshare(CLONE_NEWUSER) != 0) leave({InitStage::users, errno, 0, false});
    say(word);
    wait_for_the_maps();
    reap_for_ever();
  }

 private:
  void die_with_the_tool() const {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) leave({InitStage::parent_death, errno, 0, false});
    // getppid is 0 here, as the tool is outside. Its end of the channel closes when it dies.
    pollfd tool{channel_, POLLIN, 0};
    if (::poll(&tool, 1, 0) != 0) _exit(1);
  }

  // The sysctl is the namespace's own from Linux 6.14 on; before, it would be the machine's.
  [[nodiscard]] bool limit_processes() const {
    if (process_limit_.empty()) return false;
    const int file = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);
    const bool set = file >= 0 && write(file, process_limit_.data(), process_limit_.size()) > 0;
    if (file >= 0) close(file);
    return set;
  }

  void say(const InitWord& word) const {
    [[maybe_unused]] const ssize_t sent = send(channel_, &word, sizeof word, MSG_NOSIGNAL);
  }

  [[noreturn]] void leave(const InitWord& word) const {
    say(word);
    _exit(1);
  }

  void wait_for_the_maps() const {
    char go = 0;
    if (recv(channel_, &go, 1, 0) != 1) _exit(1);
  }

  [[noreturn]] void reap_for_ever() const {
    prctl(PR_SET_DUMPABLE, 0);
    [[maybe_unused]] const int moved = chdir("/");
    char ready = 1;
    [[maybe_unused]] const ssize_t sent = send(channel_, &ready, 1, MSG_NOSIGNAL);
    sigset_t all;
    sigset_t child;
    sigfillset(&all);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &standard, nullptr);
    syscall(SYS_close_range, 0, ~0U, 0);
    for (;;) {
      while (waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      sigwaitinfo(&child, nullptr);
    }
  }

  int network_;
  const MountPlan& mounts_;
  int channel_;
  std::string process_limit_;
};

bool pid_limit_is_namespaced() {
  utsname name{};
  int major = 0;
  int minor = 0;
  return uname(&name) == 0 && std::sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
         (major > 6 || (major == 6 && minor >= 14));
}

Error init_error(const InitWord& word, const MountPlan& mounts) {
  switch (word.stage) {
    case InitStage::mounts: {
      const auto& step = mounts.steps[static_cast<std::size_t>(word.step)];
      return (step.type == "proc" ? proc_refused : namespace_refused)(describe(step), word.error);
    }
    case InitStage::network:
      return namespace_refused("entering the subject's network", word.error);
    case InitStage::users:
      return namespace_refused("the subject's user namespace", word.error);
    default:
      return namespace_refused("process 1 of the subject's namespace", word.error);
  }
}

subject::FileDescriptor namespace_of(pid_t pid, const char* name) {
  return subject::FileDescriptor(
      open(fmt::format("/proc/{}/ns/{}", pid, name).c_str(), O_RDONLY | O_CLOEXEC));
}

// Reads its word, gives it its maps, and waits until it has let go of everything.
Result<> bring_up(Init& init, int channel, const MountPlan& mounts) {
  InitWord word{InitStage::parent_death, ECHILD, 0, false};
  if (recv(channel, &word, sizeof word, 0) <= 0 || word.stage != InitStage::ready)
    return tl::make_unexpected(init_error(word, mounts));
  init.process_limit_set = word.process_limit_set;
  init.mounts = namespace_of(init.pid, "mnt");
  init.processes = namespace_of(init.pid, "pid");
  init.users = namespace_of(init.pid, "user");
  init.messages = namespace_of(init.pid, "ipc");
  if (!init.mounts.valid() || !init.processes.valid() || !init.users.valid() ||
      !init.messages.valid())
    return tl::make_unexpected(namespace_refused("opening the subject's namespaces", errno));
  if (auto mapped = map_as_itself(init.pid); !mapped) return mapped;
  char go = 1;
  if (send(channel, &go, 1, MSG_NOSIGNAL) == 1 && recv(channel, &go, 1, 0) == 1) return {};
  return tl::make_unexpected(init_error(word, mounts));
}

}  // namespace

Result<Init> start_init(int subject_network, const MountPlan& mounts, int process_limit) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::make_unexpected(namespace_refused("a pair of sockets", errno));
  subject::FileDescriptor ours(ends[0]);
  subject::FileDescriptor theirs(ends[1]);
  const InitProcess process(subject_network, mounts, theirs.get(),
                            pid_limit_is_namespaced() ? std::to_string(process_limit) : "");
  constexpr unsigned long kNamespaces = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC;
  Init init;
  subject::start_child([&] {
    init.pid = static_cast<pid_t>(syscall(SYS_clone, kNamespaces | SIGCHLD, 0, 0, 0, 0));
    if (init.pid == 0) {
      close(ours.get());
      process.run();
    }
    return init.pid;
  });
  if (init.pid < 0)
    return tl::make_unexpected(namespace_refused("a PID and a mount namespace", errno));
  init.handle = subject::FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, init.pid, 0)));
  theirs.reset();
  if (auto up = bring_up(init, ours.get(), mounts); !up) {
    end_init(init);
    return pass_on(std::move(up.error()));
  }
  return init;
}

void end_init(Init& init) {
  if (init.pid <= 0) return;
  syscall(SYS_pidfd_send_signal, init.handle.get(), SIGKILL, nullptr, 0);
  for (int waits = 0; waits < 2 && !subject::reap_child(init.pid); ++waits) {
    pollfd ended{init.handle.get(), POLLIN, 0};
    ::poll(&ended, 1, kEndMs);
  }
  init.pid = 0;
}

}  // namespace telltale::catcher
