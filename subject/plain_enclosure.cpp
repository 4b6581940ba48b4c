// The machine as it is: Boost.Process v2 forks, Child (process/child.hpp) does the rest.
//
// Three habits of Boost 1.81 and 1.83 decide the shape: an initializer that fails with errno 0
// reads as success, a child that failed is never reaped, and after a failed exec it calls exit(3),
// which writes the parent's buffered output a second time. So the one initializer below runs the
// whole child, exec included, and never returns; errors come through a pipe of its own. The process
// object is detached at once, because its destructor would kill by a number that may by then be
// another process's.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "subject/enclosure.hpp"
#include "subject/process/child.hpp"
#include "subject/process/children.hpp"
#include "subject/process/start_error.hpp"

namespace telltale::subject {

namespace {

namespace v2 = boost::process::v2;

struct RunChild {
  const Child& child;
  template <class Launcher, class Path, class Arguments>
  boost::system::error_code on_exec_setup(Launcher&, const Path&, const Arguments&) const {
    child.run();
  }
};

// The pid. The context is not kept: asio has nothing to wait for here.
pid_t fork_and_run(const Child& child, boost::system::error_code& error) {
  boost::asio::io_context context;
  v2::posix::default_launcher launcher;
  const std::vector<std::string> none;  // the arguments are the child's own
  auto process =
      launcher(context.get_executor(), error, child.program().string(), none, RunChild{child});
  const pid_t pid = process.id();
  if (!error) process.detach();
  return pid;
}

// A process whose end nobody can wait for is not kept.
Error unwatchable(pid_t pid) {
  const std::string reason = strerror(errno);
  kill(pid, SIGKILL);
  while (!reap_child(pid)) usleep(1000);
  return {Fault::instrument, "a new process cannot be watched: " + reason,
          "raise the limit of open files (ulimit -n); Linux 5.3 is needed (pidfd_open)"};
}

class PlainProcess final : public Process {
 public:
  PlainProcess(pid_t pid, FileDescriptor ended) : pid_(pid), ended_(std::move(ended)) {}
  ~PlainProcess() override;

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

PlainProcess::~PlainProcess() {
  while (!poll()) {
    signal(SIGKILL);
    pollfd ended{ended_.get(), POLLIN, 0};
    ::poll(&ended, 1, -1);
  }
}

std::optional<Exit> PlainProcess::poll() {
  if (exit_) return exit_;
  if (const auto status = reap_child(pid_)) exit_ = exit_of(*status);
  return exit_;
}

std::optional<Exit> PlainProcess::wait(Milliseconds limit) {
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
void PlainProcess::signal(int number) {
  if (!exit_) kill(pid_, number);
}

class PlainEnclosure final : public Enclosure {
 public:
  PlainEnclosure();
  [[nodiscard]] std::string_view name() const override { return "plain"; }
  [[nodiscard]] evidence::Assurance assurance() const override;
  [[nodiscard]] Result<std::unique_ptr<Process>> start(ProcessPlan plan) override;
  [[nodiscard]] Result<FileDescriptor> socket(int domain, int type) override;
  [[nodiscard]] Result<Listener> listen(std::uint16_t port) override;
};

PlainEnclosure::PlainEnclosure() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // A caller that ignores SIGCHLD would make the kernel throw every exit status away.
  std::signal(SIGCHLD, SIG_DFL);
}

evidence::Assurance PlainEnclosure::assurance() const {
  return {true,
          {"a direct connection that ignores the proxy variables and ends between two samples",
           "name lookups (DNS)", "UDP without a connected peer, broadcast and multicast",
           "ICMP, raw IP and packet sockets",
           "services of this machine that send for it: resolver, D-Bus, Docker, a local relay",
           "work handed to a program that was already running (cron, systemd)"}};
}

Result<std::unique_ptr<Process>> PlainEnclosure::start(ProcessPlan plan) {
  auto child = Child::prepare(std::move(plan));
  if (!child) return pass_on(child.error());
  boost::system::error_code error;
  pid_t pid = 0;
  start_child([&] { return pid = fork_and_run(*child, error); });
  if (error)
    return fail(Fault::instrument, "no new process could be made: " + error.message(),
                "free memory, or raise the limit of processes (ulimit -u)");
  FileDescriptor ended(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!ended.valid()) return pass_on(unwatchable(pid));
  auto started = std::make_unique<PlainProcess>(pid, std::move(ended));
  if (const auto failure = child->failure()) return pass_on(start_error(*child, *failure));
  return started;
}

Result<FileDescriptor> PlainEnclosure::socket(int domain, int type) {
  FileDescriptor made(::socket(domain, type | SOCK_CLOEXEC, 0));
  if (!made.valid())
    return fail(Fault::instrument, std::string("no socket: ") + strerror(errno),
                "raise the limit of open files (ulimit -n)");
  return made;
}

Result<Listener> PlainEnclosure::listen(std::uint16_t port) {
  auto made = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK);
  if (!made) return pass_on(made.error());
  const int one = 1;
  setsockopt(made->get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(made->get(), generic, size) != 0 || ::listen(made->get(), SOMAXCONN) != 0 ||
      getsockname(made->get(), generic, &size) != 0)
    return fail(Fault::instrument,
                fmt::format("the tool could not listen on 127.0.0.1:{}: {}", port, strerror(errno)),
                "name a free port, or none: the kernel then chooses one");
  return Listener{std::move(*made), "127.0.0.1", ntohs(address.sin_port)};
}

}  // namespace

std::unique_ptr<Enclosure> make_plain_enclosure() {
  return std::make_unique<PlainEnclosure>();
}

}  // namespace telltale::subject
