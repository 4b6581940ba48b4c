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
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "subject/enclosure.hpp"
#include "subject/process/child.hpp"
#include "subject/process/start_process.hpp"

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

class PlainBirth final : public Birth {
 public:
  // The context is not kept: asio has nothing to wait for here.
  [[nodiscard]] pid_t fork(const Child& child, std::string& error) override {
    boost::asio::io_context context;
    boost::system::error_code code;
    v2::posix::default_launcher launcher;
    const std::vector<std::string> none;  // the arguments are the child's own
    auto process =
        launcher(context.get_executor(), code, child.program().string(), none, RunChild{child});
    const pid_t pid = process.id();
    if (!code) process.detach();
    if (code) error = code.message();
    return pid;
  }
};

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
  return {
      true,
      {"a direct connection that ignores the proxy variables and ends between two samples",
       "name lookups (DNS)",
       "a thread with descriptors of its own, a network namespace that the subject makes",
       "UDP without a connected peer, broadcast and multicast", "ICMP, raw IP and packet sockets",
       "services of this machine that send for it: resolver, D-Bus, Docker, a local relay",
       "work handed to a program that was already running (cron, systemd)"}};
}

Result<std::unique_ptr<Process>> PlainEnclosure::start(ProcessPlan plan) {
  PlainBirth birth;
  return start_process(std::move(plan), birth);
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
