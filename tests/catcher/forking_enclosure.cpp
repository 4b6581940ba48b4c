#include "forking_enclosure.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace telltale::test {

namespace {

class Forked final : public subject::Process {
 public:
  explicit Forked(pid_t pid)
      : pid_(pid), ended_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}
  ~Forked() override {
    if (exit_) return;
    kill(pid_, SIGKILL);
    (void)wait(subject::Milliseconds(10'000));
  }
  [[nodiscard]] pid_t pid() const override { return pid_; }
  [[nodiscard]] int ended_fd() const override { return ended_.get(); }
  [[nodiscard]] std::optional<subject::Exit> poll() override {
    int status = 0;
    if (!exit_ && waitpid(pid_, &status, WNOHANG) == pid_) exit_ = subject::exit_of(status);
    return exit_;
  }
  [[nodiscard]] std::optional<subject::Exit> wait(subject::Milliseconds limit) override {
    pollfd ended{ended_.get(), POLLIN, 0};
    if (!exit_) ::poll(&ended, 1, static_cast<int>(limit.count()));
    return poll();
  }
  void signal(int number) override { kill(pid_, number); }

 private:
  pid_t pid_;
  subject::FileDescriptor ended_;
  std::optional<subject::Exit> exit_;
};

}  // namespace

Result<std::unique_ptr<subject::Process>> ForkingEnclosure::start(subject::ProcessPlan plan) {
  std::optional<catcher::Handoff> handoff;
  if (witness != nullptr) {
    auto made = witness->handoff();
    if (!made) return pass_on(made.error());
    handoff.emplace(std::move(*made));
  }
  std::vector<char*> argv;
  for (auto& word : plan.argv) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    if (network >= 0 && setns(network, CLONE_NEWNET) != 0) _exit(121);
    if (plan.output.valid()) dup2(plan.output.get(), STDOUT_FILENO);
    if (handoff && handoff->install() != 0) _exit(122);
    execv(argv[0], argv.data());
    _exit(123);
  }
  return std::make_unique<Forked>(pid);
}

Result<subject::FileDescriptor> ForkingEnclosure::socket(int domain, int type) {
  return subject::FileDescriptor(::socket(domain, type | SOCK_CLOEXEC, 0));
}

subject::Listener listen_on_loopback() {
  subject::FileDescriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(made.get(), generic, size) != 0 || listen(made.get(), SOMAXCONN) != 0 ||
      getsockname(made.get(), generic, &size) != 0)
    return {};
  return {std::move(made), "127.0.0.1", ntohs(address.sin_port)};
}

Result<subject::Listener> ForkingEnclosure::listen(std::uint16_t) {
  return listener ? listener() : listen_on_loopback();
}

}  // namespace telltale::test
