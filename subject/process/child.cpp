#include "subject/process/child.hpp"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "subject/process/start_error.hpp"

namespace telltale::subject {

namespace {

// A number above the standard three, so that no dup2 below overwrites a source still to be used.
int lifted(int fd) {
  return fd > STDERR_FILENO ? fd : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Result<Child> Child::prepare(ProcessPlan plan) {
  Child child;
  auto identity = plan.identity ? Result<Identity>(*plan.identity) : find_identity(plan.user);
  if (!identity) return pass_on(identity.error());
  child.identity_ = std::move(*identity);
  child.switch_user_ = plan.identity || (!plan.user.empty() && child.identity_.uid != geteuid());
  auto program = find_program(plan);
  if (!program) return pass_on(program.error());
  child.program_ = std::move(*program);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return fail(Fault::instrument, std::string("no pipe for a new process: ") + strerror(errno));
  child.told_ = FileDescriptor(ends[0]);
  child.report_ = FileDescriptor(ends[1]);
  child.null_ = FileDescriptor(open("/dev/null", O_RDWR | O_CLOEXEC));
  child.parent_ = getpid();
  child.plan_ = std::move(plan);
  for (const auto& [name, value] : child.plan_.environment)
    child.variables_.push_back(name + "=" + value);
  child.argv_ = pointers(child.plan_.argv);
  child.environment_ = pointers(child.variables_);
  return child;
}

void Child::run(const Threshold* threshold) const {
  enter_session();
  reset_signals();
  set_standard_io();
  if (threshold != nullptr && (errno = threshold->cross()) != 0) leave(Stage::world);
  become_user();
  enter_folder();
  die_with_parent();
  close_descriptors();
  if (threshold != nullptr && (errno = threshold->leave()) != 0) leave(Stage::world);
  execve(program_.c_str(), argv_.data(), environment_.data());
  leave(Stage::exec);
}

std::optional<StageFailure> Child::failure() {
  report_.reset();
  StageFailure failure;
  ssize_t got = 0;
  do got = read(told_.get(), &failure, sizeof failure);
  while (got < 0 && errno == EINTR);
  told_.reset();
  plan_.input.reset();
  plan_.output.reset();
  plan_.errors.reset();
  plan_.terminal.reset();
  if (got != sizeof failure) return std::nullopt;
  return failure;
}

void Child::leave(Stage stage) const {
  const StageFailure failure{stage, errno};
  // Nothing can be done about a write that fails: the parent then sees the exit status.
  [[maybe_unused]] const ssize_t written = write(report_.get(), &failure, sizeof failure);
  _exit(127);
}

void Child::enter_session() const {
  const bool own = plan_.terminal.valid();
  if ((own || !plan_.foreground) && setsid() < 0) leave(Stage::session);
  if (own && ioctl(plan_.terminal.get(), TIOCSCTTY, 0) != 0) leave(Stage::session);
}

// A foreground command keeps what the tool's caller ignores (nohup); only SIGPIPE is the tool's
// own.
void Child::reset_signals() const {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number)
    if (!plan_.foreground || number == SIGPIPE) sigaction(number, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  if (sigprocmask(SIG_SETMASK, &none, nullptr) != 0) leave(Stage::signals);
}

void Child::set_standard_io() const {
  const bool own = plan_.terminal.valid();
  const bool keep = plan_.foreground && !own;
  const int rest = own ? plan_.terminal.get() : null_.get();
  const int input = plan_.input.valid() ? plan_.input.get() : keep ? 0 : rest;
  const int output = plan_.output.valid() ? plan_.output.get() : keep ? 1 : rest;
  const int errors = plan_.errors.valid()            ? plan_.errors.get()
                     : keep && !plan_.output.valid() ? 2
                                                     : output;
  const int sources[] = {lifted(input), lifted(output), lifted(errors)};
  for (int target = 0; target < 3; ++target) {
    if (sources[target] < 0) {
      if (keep && errno == EBADF) continue;  // the tool itself was started without this stream
      leave(Stage::standard_io);
    }
    if (dup2(sources[target], target) < 0) leave(Stage::standard_io);
  }
}

void Child::become_user() const {
  if (!switch_user_) return;
  // The world may have made it that user already, by the map of its user namespace.
  if (plan_.identity && getuid() == identity_.uid && getgid() == identity_.gid) return;
  if (setgroups(identity_.groups.size(), identity_.groups.data()) != 0) leave(Stage::user);
  if (setgid(identity_.gid) != 0 || setuid(identity_.uid) != 0) leave(Stage::user);
  if (identity_.uid != 0 && setuid(0) == 0) {
    errno = EPERM;
    leave(Stage::user);
  }
}

void Child::enter_folder() const {
  if (!plan_.folder.empty() && chdir(plan_.folder.c_str()) != 0) leave(Stage::folder);
}

void Child::die_with_parent() const {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) leave(Stage::parent_death);
  // The tool may have died before the line above; nobody would read an error. 0: the tool is
  // outside of this PID namespace, whose process 1 then dies with it.
  if (const pid_t parent = getppid(); parent != parent_ && parent != 0) _exit(127);
}

// By the exec, not now: the error pipe is still needed. Kernels before 5.11 lack the flag.
void Child::close_descriptors() const {
  if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) leave(Stage::descriptors);
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 20));
  for (int fd = STDERR_FILENO + 1; fd < end; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

}  // namespace telltale::subject
