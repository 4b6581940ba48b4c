#include "catcher/world/sealed_enclosure.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "catcher/world/overlay.hpp"
#include "catcher/world/vsock_filter.hpp"
#include "subject/process/start_process.hpp"

namespace telltale::catcher {

namespace {

using subject::FileDescriptor;

class SealedThreshold final : public subject::Threshold {
 public:
  // `mounts`: the mount namespace to enter.
  SealedThreshold(const World& world, int mounts, const std::vector<sock_filter>& filter,
                  StartHook* hook)
      : world_(world), mounts_(mounts), filter_(filter), hook_(hook) {}

  // The order matters: the nested user namespace gives up every right over what comes before it.
  [[nodiscard]] int cross() const override {
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return errno;
    if (setns(world_.subject_network(), CLONE_NEWNET) != 0) return errno;
    if (setns(mounts_, CLONE_NEWNS) != 0) return errno;
    if (setns(world_.messages(), CLONE_NEWIPC) != 0) return errno;
    if (setns(world_.nested_users(), CLONE_NEWUSER) != 0) return errno;
    return hook_ != nullptr && hook_->refuses_vsock() ? 0 : install_filter(filter_);
  }
  [[nodiscard]] int leave() const override { return hook_ != nullptr ? hook_->in_child() : 0; }

 private:
  const World& world_;
  int mounts_;
  const std::vector<sock_filter>& filter_;
  StartHook* hook_;
};

class SealedBirth final : public subject::Birth {
 public:
  SealedBirth(const World& world, int mounts, const std::vector<sock_filter>& filter,
              StartHook* hook)
      : world_(world), threshold_(world, mounts, filter, hook), hook_(hook) {}

  [[nodiscard]] pid_t fork(const subject::Child& child, std::string& error) override;
  void forked(pid_t pid) override {
    if (hook_ != nullptr) hook_->in_tool(pid);
  }

 private:
  // A pid as the tool sees it, or an errno, negative.
  [[noreturn]] void go_between(const subject::Child& child, int report) const;

  const World& world_;
  SealedThreshold threshold_;
  StartHook* hook_;
};

pid_t SealedBirth::fork(const subject::Child& child, std::string& error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    error = strerror(errno);
    return -1;
  }
  const FileDescriptor told(ends[0]);
  FileDescriptor report(ends[1]);
  const pid_t between = ::fork();
  if (between == 0) go_between(child, report.get());
  pid_t pid = between < 0 ? -errno : -ESRCH;
  report.reset();
  if (between > 0) {
    while (read(told.get(), &pid, sizeof pid) < 0 && errno == EINTR) {
    }
    while (waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (pid <= 0) error = strerror(-pid);
  return pid;
}

// CLONE_PARENT: the tool's child, not this process's.
void SealedBirth::go_between(const subject::Child& child, int report) const {
  pid_t pid = 0;
  if (setns(world_.processes(), CLONE_NEWPID) != 0) pid = -errno;
  if (pid == 0) {
    pid = static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
    if (pid == 0) child.run(&threshold_);
    if (pid < 0) pid = -errno;
  }
  [[maybe_unused]] const ssize_t written = write(report, &pid, sizeof pid);
  _exit(0);
}

class Sealed final : public SealedEnclosure {
 public:
  Sealed(std::unique_ptr<World> world, std::vector<sock_filter> filter)
      : world_(std::move(world)), filter_(std::move(filter)) {}

  [[nodiscard]] std::string_view name() const override { return "sealed"; }
  [[nodiscard]] evidence::Assurance assurance() const override { return {}; }
  [[nodiscard]] int root() const override { return world_->root(); }
  [[nodiscard]] bool copies_on_write() const override {
    return world_->root() < 0 && !world_->overlaid().empty();
  }
  [[nodiscard]] World& world() override { return *world_; }
  void set_hooks(StartHooks hooks) override { hooks_ = std::move(hooks); }

  [[nodiscard]] Result<std::unique_ptr<subject::Process>> start(subject::ProcessPlan plan) override;
  [[nodiscard]] Result<FileDescriptor> socket(int domain, int type) override {
    return world_->subject_socket(domain, type, 0);
  }
  [[nodiscard]] Result<subject::Listener> listen(std::uint16_t port) override;

 private:
  std::unique_ptr<World> world_;
  std::vector<sock_filter> filter_;
  StartHooks hooks_;
};

Result<std::unique_ptr<subject::Process>> Sealed::start(subject::ProcessPlan plan) {
  std::unique_ptr<StartHook> hook;
  if (hooks_) {
    auto made = hooks_();
    if (!made) return pass_on(std::move(made.error()));
    hook = std::move(*made);
  }
  if (!plan.tools_own) plan.root = world_->root();
  SealedBirth birth(*world_, plan.tools_own ? world_->machine_mounts() : world_->mounts(), filter_,
                    hook.get());
  return subject::start_process(std::move(plan), birth);
}

Result<subject::Listener> Sealed::listen(std::uint16_t port) {
  auto made = world_->world_socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (!made) return pass_on(std::move(made.error()));
  const int one = 1;
  setsockopt(made->get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  inet_pton(AF_INET, kWorldAddress4, &address.sin_addr);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(made->get(), generic, size) != 0 || ::listen(made->get(), SOMAXCONN) != 0 ||
      getsockname(made->get(), generic, &size) != 0)
    return fail(Fault::instrument,
                fmt::format("the tool could not listen on {}:{} of the sealed world: {}",
                            kWorldAddress4, port, strerror(errno)),
                "name another port, or none: the kernel then chooses one");
  return subject::Listener{std::move(*made), kWorldAddress4, ntohs(address.sin_port)};
}

}  // namespace

Result<std::unique_ptr<SealedEnclosure>> make_sealed_enclosure(const WorldPlan& plan) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // A caller that ignores SIGCHLD would make the kernel throw every exit status away.
  std::signal(SIGCHLD, SIG_DFL);
  auto filter = vsock_filter();
  if (!filter) return pass_on(std::move(filter.error()));
  auto world = World::make(plan);
  if (!world) return pass_on(std::move(world.error()));
  return std::make_unique<Sealed>(std::move(*world), std::move(*filter));
}

}  // namespace telltale::catcher
