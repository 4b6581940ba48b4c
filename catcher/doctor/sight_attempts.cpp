#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sock_diag.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <future>
#include <memory>

#include "catcher/closed_messages.hpp"
#include "catcher/control_caller.hpp"
#include "catcher/doctor/attempts.hpp"
#include "catcher/egress_record.hpp"
#include "catcher/landlock/ruleset.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "catcher/witness/handoff.hpp"
#include "catcher/witness/supervisor.hpp"
#include "catcher/world/network.hpp"
#include "catcher/world/user_namespace.hpp"
#include "catcher/world/world.hpp"
#include "subject/scratch.hpp"

namespace telltale::catcher::attempts {

namespace {

constexpr auto kWitnessedPath = "/telltale-doctor";

tl::unexpected<Error> not_there(const std::string& what, int error, const std::string& fix) {
  return fail(Fault::instrument, fmt::format("{}: {}", what, std::strerror(error)), fix);
}

// A process that ends when its handle does.
class HeldChild {
 public:
  explicit HeldChild(const std::function<void()>& work) : pid_(fork()) {
    if (pid_ != 0) return;
    work();
    _exit(0);
  }
  HeldChild(const HeldChild&) = delete;
  HeldChild& operator=(const HeldChild&) = delete;
  ~HeldChild() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

void connect_to_nobody() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, kWitnessedPath);
  const int made = socket(AF_UNIX, SOCK_STREAM, 0);
  [[maybe_unused]] const int refused =
      connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace

Result<std::string> packet_capture() {
  auto network = gain_namespaces().and_then([] { return make_network(); });
  if (!network) return pass_on(std::move(network.error()));
  char error[PCAP_ERRBUF_SIZE] = "";
  const std::unique_ptr<pcap_t, void (*)(pcap_t*)> capture(
      pcap_open_live(kWorldLink, 96, 0, 100, error), pcap_close);
  if (capture) return std::string();
  return fail(Fault::instrument, fmt::format("no capture: {}", error),
              "the kernel needs CONFIG_PACKET (modprobe af_packet)");
}

Result<std::string> socket_dump() {
  auto diagnostics = SocketDiagnostics::open();
  if (!diagnostics) return pass_on(std::move(diagnostics.error()));
  std::size_t count = 0;
  if (auto visited = diagnostics->visit([&](const RawSocket&) { ++count; }); !visited)
    return pass_on(std::move(visited.error()));
  return fmt::format("{} sockets here", count);
}

Result<std::string> destroy_groups() {
  auto network = gain_namespaces().and_then([] { return make_network(); });
  if (!network) return pass_on(std::move(network.error()));
  if (subscribe_to_closed_sockets().valid()) return std::string();
  return not_there("the groups of closed sockets cannot be joined", errno,
                   "the kernel needs CONFIG_INET_DIAG_DESTROY and udp_diag, tcp_diag "
                   "(modprobe tcp_diag udp_diag)");
}

// A child puts the witness's filter on itself and connects; the supervisor must read the address.
Result<std::string> notification() {
  std::promise<std::string> seen;
  auto result = seen.get_future();
  bool told = false;
  const auto tell = [&](const std::string& what) {
    if (!std::exchange(told, true)) seen.set_value(what);
  };
  Supervisor supervisor(
      [&](const WitnessedCall& call, const ProcessCache&, const std::string& /*party*/) {
        for (const auto& act : call.acts) tell(act.host);
      },
      [&](const std::string& why) { tell(why); });
  auto handoff = Handoff::make();
  if (!handoff) return pass_on(std::move(handoff.error()));
  auto end = handoff->take_supervisor_end();
  // Forked before the supervisor's thread: a child of a process with threads can do little.
  const HeldChild child([&] {
    if (const int error = handoff->install(); error != 0) _exit(error);
    connect_to_nobody();
  });
  if (auto started = supervisor.start(); !started) return pass_on(std::move(started.error()));
  supervisor.adopt(std::move(end));
  const bool came = result.wait_for(std::chrono::seconds(3)) == std::future_status::ready;
  int status = 0;
  if (came && result.get() == kWitnessedPath) return std::string();
  waitpid(child.pid(), &status, WNOHANG);
  supervisor.stop();
  const int error = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return not_there("a call was not witnessed", error == 0 ? ETIMEDOUT : error,
                   "Linux from 5.6 on is needed, with CONFIG_SECCOMP_FILTER; a debugger or another "
                   "supervisor on this process takes the place of the witness (EBUSY), and a "
                   "container must allow seccomp and ptrace: --security-opt seccomp=unconfined");
}

Result<std::string> descriptors_of_others() {
  const HeldChild child([] { pause(); });
  const subject::FileDescriptor handle(static_cast<int>(syscall(SYS_pidfd_open, child.pid(), 0)));
  if (!handle.valid()) return not_there("pidfd_open", errno, "Linux from 5.3 on is needed");
  const subject::FileDescriptor theirs(
      static_cast<int>(syscall(SYS_pidfd_getfd, handle.get(), STDIN_FILENO, 0)));
  if (theirs.valid()) return std::string();
  return not_there("pidfd_getfd", errno,
                   "Linux from 5.6 on is needed, and the right to trace one's own children: "
                   "kernel.yama.ptrace_scope=1 or less; a container: --security-opt "
                   "seccomp=unconfined");
}

Result<std::string> landlock() {
  const auto version = landlock_version();
  if (!version) return pass_on(version.error());
  return fmt::format("ABI {}", *version);
}

Result<std::string> temporary_folder() {
  auto scratch = subject::Scratch::make();
  if (!scratch) return pass_on(std::move(scratch.error()));
  auto program = install_caller(scratch->path());
  if (!program) return pass_on(std::move(program.error()));
  const HeldChild child([&] {
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
    execl(program->c_str(), program->c_str(), nullptr);
  });
  int status = 0;
  waitpid(child.pid(), &status, 0);
  constexpr int kSaidItsUsage = 2;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kSaidItsUsage)
    return scratch->path().parent_path();
  return fail(Fault::instrument,
              fmt::format("a program in {} cannot be started", scratch->path().string()),
              "set TMPDIR to a folder whose programs may be executed (no noexec)");
}

}  // namespace telltale::catcher::attempts
