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

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

#include "catcher/world/mount_table.hpp"
#include "catcher/world/remedy.hpp"
#include "catcher/world/user_namespace.hpp"
#include "subject/process/children.hpp"

namespace telltale::catcher {

namespace {

// Process 1 ends last: the kernel waits until all others are reaped, by the tool where they are its
// own. One that the tool never reaps would keep it; it is dead by then all the same.
constexpr int kEndMs = 5'000;

enum class InitStage : int { parent_death = 1, network, mounts, root, users, ready };

// What process 1 says: a stage that failed, or that it is ready for its maps.
struct InitWord {
  InitStage stage = InitStage::ready;
  int error = 0;
  int step = 0;  // of the mounts, or of the root
  bool process_limit_set = false;
};

class InitProcess {
 public:
  // `machine_view`: the number at which it keeps the mount namespace that it had before the root.
  InitProcess(int network, const MountPlan& mounts, int channel, int machine_view,
              std::string process_limit)
      : network_(network),
        mounts_(mounts),
        channel_(channel),
        machine_view_(machine_view),
        process_limit_(std::move(process_limit)) {}

  [[noreturn]] void run() const {
    InitWord word;
    die_with_the_tool();
    if (setns(network_, CLONE_NEWNET) != 0) leave({InitStage::network, errno, 0, false});
    if (const int step = run_mounts(mounts_.steps); step >= 0)
      leave({InitStage::mounts, errno, step, false});
    if (!mounts_.root.empty()) change_root();
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

  void change_root() const {
    const int before = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
    if (before < 0 || dup3(before, machine_view_, O_CLOEXEC) < 0 || unshare(CLONE_NEWNS) != 0)
      leave({InitStage::root, errno, 0, false});
    close(before);
    if (const int step = run_mounts(mounts_.root); step >= 0)
      leave({InitStage::root, errno, step, false});
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
  int machine_view_;
  std::string process_limit_;
};

bool pid_limit_is_namespaced() {
  utsname name{};
  int major = 0;
  int minor = 0;
  return uname(&name) == 0 && std::sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
         (major > 6 || (major == 6 && minor >= 14));
}

Error mount_error(const MountStep& step, int error) {
  auto refused = (step.type == "proc" ? proc_refused : namespace_refused)(describe(step), error);
  if (step.type == "overlay") refused.fix = overlay_remedy();
  return refused;
}

Error init_error(const InitWord& word, const MountPlan& mounts) {
  const auto step = static_cast<std::size_t>(word.step);
  switch (word.stage) {
    case InitStage::mounts:
      return mount_error(mounts.steps[step], word.error);
    case InitStage::root:
      return mount_error(mounts.root[step], word.error);
    case InitStage::network:
      return namespace_refused("entering the subject's network", word.error);
    case InitStage::users:
      return namespace_refused("the subject's user namespace", word.error);
    default:
      return namespace_refused("process 1 of the subject's namespace", word.error);
  }
}

subject::FileDescriptor open_of(pid_t pid, const std::string& name, int flags = O_RDONLY) {
  return subject::FileDescriptor(
      open(fmt::format("/proc/{}/{}", pid, name).c_str(), flags | O_CLOEXEC));
}

subject::FileDescriptor namespace_of(pid_t pid, const char* name) {
  return open_of(pid, std::string("ns/") + name);
}

// What only process 1 can name.
Result<> take_over(Init& init, const MountPlan& mounts, int machine_view) {
  if (!mounts.root.empty()) {
    init.machine_mounts = open_of(init.pid, fmt::format("fd/{}", machine_view));
    init.root = open_of(init.pid, "root", O_PATH | O_DIRECTORY);
    init.overlaid = mounts.overlaid;
    if (!init.machine_mounts.valid() || !init.root.valid())
      return tl::make_unexpected(namespace_refused("opening the subject's root", errno));
  }
  if (mounts.memory < 0) return {};
  init.memory = open_of(init.pid, fmt::format("fd/{}", mounts.memory), O_RDONLY | O_DIRECTORY);
  if (!init.memory.valid())
    return tl::make_unexpected(namespace_refused("opening what is written", errno));
  init.overlaid =
      overlaid(mounts.overlaid, read_mount_table(fmt::format("/proc/{}/mountinfo", init.pid)));
  init.uncovered = mounts.uncovered;
  for (const auto& folder : mounts.overlaid)
    if (std::none_of(init.overlaid.begin(), init.overlaid.end(),
                     [&](const auto& made) { return made.folder == folder.folder; }))
      init.uncovered.push_back(folder.folder.string());
  for (auto& folder : init.overlaid)
    if (folder.in_memory)
      folder.upper = std::filesystem::path(held_path(init.memory)) / folder.upper;
  return {};
}

// Reads its word, gives it its maps, and waits until it has let go of everything.
Result<> bring_up(Init& init, int channel, int machine_view, const MountPlan& mounts,
                  const WorldPlan& plan) {
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
  if (auto taken = take_over(init, mounts, machine_view); !taken) return taken;
  if (auto mapped = map_users(init.pid, plan.subject); !mapped) return mapped;
  char go = 1;
  if (send(channel, &go, 1, MSG_NOSIGNAL) == 1 && recv(channel, &go, 1, 0) == 1) return {};
  return tl::make_unexpected(init_error(word, mounts));
}

}  // namespace

Result<Init> start_init(int subject_network, const MountPlan& mounts, const WorldPlan& plan) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::make_unexpected(namespace_refused("a pair of sockets", errno));
  subject::FileDescriptor ours(ends[0]);
  subject::FileDescriptor theirs(ends[1]);
  const subject::FileDescriptor machine_view(open("/", O_PATH | O_CLOEXEC));  // only its number
  const InitProcess process(subject_network, mounts, theirs.get(), machine_view.get(),
                            pid_limit_is_namespaced() ? std::to_string(plan.process_limit) : "");
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
  if (auto up = bring_up(init, ours.get(), machine_view.get(), mounts, plan); !up) {
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
