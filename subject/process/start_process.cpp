#include "subject/process/start_process.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "subject/process/children.hpp"
#include "subject/process/start_error.hpp"

namespace telltale::subject {

namespace {

// A process whose end nobody can wait for is not kept.
Error unwatchable(pid_t pid) {
  const std::string reason = strerror(errno);
  kill(pid, SIGKILL);
  while (!reap_child(pid)) usleep(1000);
  return {Fault::instrument, "a new process cannot be watched: " + reason,
          "raise the limit of open files (ulimit -n); Linux 5.3 is needed (pidfd_open)"};
}

class StartedProcess final : public Process {
 public:
  StartedProcess(pid_t pid, FileDescriptor ended) : pid_(pid), ended_(std::move(ended)) {}
  ~StartedProcess() override;

  [[nodiscard]] pid_t pid() const override { return pid_; }
  [[nodiscard]] int ended_fd() const override { return ended_.get(); }
  [[nodiscard]] std::optional<Exit> poll() override;
  [[nodiscard]] std::optional<Exit> wait(Milliseconds limit) override;
  void signal(int number) override;

 private:
  pid_t pid_;
  FileDescriptor ended_;
  std::optional<Exit> exit_;
};

StartedProcess::~StartedProcess() {
  while (!poll()) {
    signal(SIGKILL);
    pollfd ended{ended_.get(), POLLIN, 0};
    ::poll(&ended, 1, -1);
  }
}

std::optional<Exit> StartedProcess::poll() {
  if (exit_) return exit_;
  if (const auto status = reap_child(pid_)) exit_ = exit_of(*status);
  return exit_;
}

std::optional<Exit> StartedProcess::wait(Milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    if (auto exit = poll()) return exit;
    const auto left = std::chrono::ceil<Milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd ended{ended_.get(), POLLIN, 0};
    ::poll(&ended, 1, static_cast<int>(std::min<Milliseconds::rep>(left.count(), 1 << 30)));
  }
}

// The number is the process's own until it is reaped, and only poll() does that.
void StartedProcess::signal(int number) {
  if (!exit_) kill(pid_, number);
}

}  // namespace

Result<std::unique_ptr<Process>> start_process(ProcessPlan plan, Birth& birth) {
  auto child = Child::prepare(std::move(plan));
  if (!child) return pass_on(child.error());
  std::string error;
  pid_t pid = 0;
  start_child([&] { return pid = birth.fork(*child, error); });
  if (pid <= 0 || !error.empty())
    return fail(Fault::instrument, "no new process could be made: " + error,
                "free memory, or raise the limit of processes (ulimit -u)");
  FileDescriptor ended(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!ended.valid()) return pass_on(unwatchable(pid));
  auto started = std::make_unique<StartedProcess>(pid, std::move(ended));
  birth.forked(pid);
  if (const auto failure = child->failure()) return pass_on(start_error(*child, *failure));
  return started;
}

}  // namespace telltale::subject
