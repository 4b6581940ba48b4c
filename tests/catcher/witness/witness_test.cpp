#include "catcher/witness/witness.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <thread>

#include "catcher/control_caller.hpp"
#include "forking_enclosure.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"

using namespace telltale;
using namespace telltale::catcher;

namespace {

sockaddr_in to(const char* address, std::uint16_t port) {
  sockaddr_in peer{};
  peer.sin_family = AF_INET;
  peer.sin_port = htons(port);
  inet_pton(AF_INET, address, &peer.sin_addr);
  return peer;
}

struct Stage {
  Scene scene{[] { return std::vector<pid_t>{}; }};
  Witness witness;
  test::ForkingEnclosure enclosure;

  explicit Stage(Judge judge = {}) : witness(scene, std::move(judge)) {
    scene.set(1, "drive");
    enclosure.witness = &witness;
    REQUIRE(witness.start(enclosure));
  }

  // Forks; the child, under the filter, does `act` and ends with what it returns. A call is written
  // down before it goes on.
  int in_child(const std::function<int()>& act) {
    const auto handoff = witness.handoff();
    REQUIRE(handoff);
    const pid_t pid = fork();
    if (pid == 0) _exit(handoff->install() == 0 ? act() : 99);
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  ControlCaller caller() { return {enclosure, scene, TELLTALE_CALLER, {}, ""}; }

  [[nodiscard]] std::optional<Sighting> seen(const std::string& host) const {
    for (const auto& all : {witness.sightings(), witness.remarks()})
      for (const auto& sighting : all)
        if (sighting.host == host) return sighting;
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("the witness proves itself with a caller") {
  Stage stage;
  auto caller = stage.caller();
  const auto control = stage.witness.prove("launch 1, before", caller);
  INFO(control.observed);
  CHECK(control.held);
  stage.witness.stop();
  CHECK(stage.witness.record().ran_to_the_end());
  CHECK(stage.witness.record().lost == 0);
  const auto executed = stage.witness.remarks();
  CHECK(std::any_of(executed.begin(), executed.end(),
                    [](const auto& act) { return act.host == TELLTALE_CALLER; }));
}

TEST_CASE("without the filter on the caller the control fails") {
  Stage stage;
  stage.enclosure.witness = nullptr;
  auto caller = stage.caller();
  const auto control = stage.witness.prove("launch 1, before", caller);
  CHECK_FALSE(control.held);
  CHECK(control.observed.find("was not seen") != std::string::npos);
}

TEST_CASE("a TCP connection is seen with program, command line and ancestry") {
  Stage stage;
  const auto listener = test::listen_on_loopback();
  CHECK(stage.in_child([&] {
    for (int i = 0; i < 3; ++i) {
      const int fd = socket(AF_INET, SOCK_STREAM, 0);
      const auto peer = to("127.0.0.1", listener.port);
      if (connect(fd, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) != 0) return 1;
      if (send(fd, "x", 1, 0) != 1) return 2;  // no address: not trapped
      close(fd);
    }
    return 0;
  }) == 0);
  stage.witness.stop();  // the last call is written down after its answer
  const auto seen = stage.seen("127.0.0.1");
  REQUIRE(seen);
  CHECK(seen->kind.empty());
  CHECK(seen->protocol == "tcp");
  CHECK(seen->port == listener.port);
  CHECK(seen->count == 3);
  CHECK(seen->pid != 0);
  CHECK(seen->executable.find("catcher_test") != std::string::npos);
  CHECK(seen->command_line.find("catcher_test") != std::string::npos);
  CHECK(seen->phase == "drive");
}

TEST_CASE("datagrams with an address are seen one by one, a batch and a mapped address too") {
  Stage stage;
  CHECK(stage.in_child([] {
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    auto first = to("127.0.0.2", 40001);
    if (sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&first), sizeof first) != 1) return 1;
    auto second = to("127.0.0.3", 40002);
    auto third = to("127.0.0.4", 40003);
    char byte = 'x';
    iovec data{&byte, 1};
    mmsghdr batch[2] = {};
    batch[0].msg_hdr.msg_name = &second;
    batch[0].msg_hdr.msg_namelen = sizeof second;
    batch[1].msg_hdr.msg_name = &third;
    batch[1].msg_hdr.msg_namelen = sizeof third;
    for (auto& message : batch) {
      message.msg_hdr.msg_iov = &data;
      message.msg_hdr.msg_iovlen = 1;
    }
    if (sendmmsg(fd, batch, 2, 0) != 2) return 2;
    const int six = socket(AF_INET6, SOCK_DGRAM, 0);
    sockaddr_in6 mapped{};
    mapped.sin6_family = AF_INET6;
    mapped.sin6_port = htons(40004);
    inet_pton(AF_INET6, "::ffff:127.0.0.5", &mapped.sin6_addr);
    return connect(six, reinterpret_cast<sockaddr*>(&mapped), sizeof mapped) == 0 ? 0 : 3;
  }) == 0);
  for (const auto* host : {"127.0.0.2", "127.0.0.3", "127.0.0.4"}) {
    INFO(host);
    const auto seen = stage.seen(host);
    REQUIRE(seen);
    CHECK(seen->kind == "datagram");
    CHECK(seen->protocol == "udp");
  }
  const auto connected = stage.seen("127.0.0.5");
  REQUIRE(connected);
  CHECK(connected->kind == "udp connect");
  CHECK(connected->port == 40004);
}

TEST_CASE(
    "a message that may be an answer on a stream is let pass, the socket of a datagram is not") {
  const auto send_all = [] {
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) return 1;
    const auto message = [](int socket, const char* address, int flags) {
      auto peer = to(address, 40006);
      char byte = 'x';
      iovec data{&byte, 1};
      msghdr header{};
      header.msg_name = &peer;
      header.msg_namelen = sizeof peer;
      header.msg_iov = &data;
      header.msg_iovlen = 1;
      return sendmsg(socket, &header, flags);
    };
    if (message(fd, "127.0.0.8", 0) != 1) return 2;
    if (message(fd, "127.0.0.9", MSG_NOSIGNAL) != 1) return 3;
    const int stream = socket(AF_INET, SOCK_STREAM, 0);
    (void)!message(stream, "127.0.0.10", MSG_NOSIGNAL | MSG_FASTOPEN);
    return 0;
  };
  const auto makes = [](const Stage& stage, const char* protocol) {
    const auto remarks = stage.witness.sightings();
    return std::any_of(remarks.begin(), remarks.end(), [&](const auto& act) {
      return act.kind == "datagram socket" && act.protocol == protocol;
    });
  };
  Stage stage;
  CHECK(stage.in_child(send_all) == 0);
  CHECK(stage.seen("127.0.0.8"));
  CHECK_FALSE(stage.seen("127.0.0.9"));
  CHECK(stage.seen("127.0.0.10"));
  CHECK(makes(stage, "udp"));
  CHECK(makes(stage, "unix"));

  // Where somebody rules, the filter is a wall.
  Stage walled([](const auto&, const auto&, auto&) { return Ruling{}; });
  CHECK(walled.in_child(send_all) == 0);
  CHECK(walled.seen("127.0.0.9"));
  CHECK_FALSE(makes(walled, "udp"));
}

TEST_CASE("unix paths, unusual sockets, io_uring and setns are named") {
  Stage stage;
  CHECK(stage.in_child([] {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un path{};
    path.sun_family = AF_UNIX;
    strcpy(path.sun_path, "no/such.sock");
    if (chdir("/") != 0) return 1;
    (void)!connect(fd, reinterpret_cast<sockaddr*>(&path), sizeof path);
    strcpy(path.sun_path + 1, "abstract");
    path.sun_path[0] = '\0';
    (void)!connect(fd, reinterpret_cast<sockaddr*>(&path), sizeof(sa_family_t) + 9);
    (void)!socket(AF_VSOCK, SOCK_STREAM, 0);
    (void)!socket(AF_PACKET, SOCK_RAW, 0);
    (void)!socket(AF_INET, SOCK_RAW, 253);
    (void)!socket(AF_NETLINK, SOCK_RAW, 0);
    (void)!syscall(SYS_io_uring_setup, 1, nullptr);
    (void)!syscall(SYS_setns, STDERR_FILENO, 0);
    return 0;
  }) == 0);
  CHECK(stage.seen("/no/such.sock"));
  CHECK(stage.seen("@abstract"));
  for (const auto* socket : {"vsock socket", "packet socket", "raw socket"}) {
    INFO(socket);
    REQUIRE(stage.seen(socket));
    CHECK(stage.seen(socket)->kind == "socket");
  }
  CHECK(stage.seen("netlink socket")->kind == "netlink");
  const auto attempts = stage.witness.sightings();
  CHECK(std::any_of(attempts.begin(), attempts.end(),
                    [](const auto& act) { return act.kind == "setns"; }));
  const auto remarks = stage.witness.remarks();
  CHECK(std::any_of(remarks.begin(), remarks.end(),
                    [](const auto& act) { return act.kind == "io_uring"; }));
  CHECK(stage.witness.rows({}).back().name() == "witness blind");
}

TEST_CASE("a shell's commands are told apart, each with its parents") {
  Stage stage;
  const auto script = std::string(TELLTALE_CALLER) + " udp 127.0.0.6 40005 x; " + TELLTALE_CALLER +
                      " udp 127.0.0.7 40005 x; true";
  subject::ProcessPlan plan;
  plan.argv = {"/bin/sh", "-c", script};
  const auto process = stage.enclosure.start(std::move(plan));
  REQUIRE(process);
  REQUIRE((*process)->wait(subject::Milliseconds(10'000))->clean());
  const auto seen = stage.seen("127.0.0.7");
  REQUIRE(seen);
  CHECK(seen->executable == TELLTALE_CALLER);
  CHECK(seen->command_line == std::string(TELLTALE_CALLER) + " udp 127.0.0.7 40005 x");
  REQUIRE_FALSE(seen->ancestry.empty());
  CHECK(seen->ancestry[0].find("sh") != std::string::npos);
}

// posix_spawn lends the child its memory until the exec (CLONE_VM).
TEST_CASE("a spawned program is not taken for the one that spawned it") {
  Stage stage;
  CHECK(stage.in_child([] {
    char caller[] = TELLTALE_CALLER;
    char act[] = "udp", host[] = "127.0.0.11", port[] = "40011", text[] = "x";
    char* argv[] = {caller, act, host, port, text, nullptr};
    pid_t pid = 0;
    if (posix_spawn(&pid, caller, nullptr, nullptr, argv, nullptr) != 0) return 1;
    int status = 0;
    return waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : 2;
  }) == 0);
  const auto seen = stage.seen("127.0.0.11");
  REQUIRE(seen);
  CHECK(seen->executable == TELLTALE_CALLER);
  REQUIRE_FALSE(seen->ancestry.empty());
  CHECK(seen->ancestry[0].find("catcher_test") != std::string::npos);
}

TEST_CASE("threads of one process are that process") {
  Stage stage;
  CHECK(stage.in_child([] {
    int sent = 0;
    std::thread([&] {
      const int fd = socket(AF_INET, SOCK_DGRAM, 0);
      auto peer = to("127.0.0.8", 40006);
      sent =
          static_cast<int>(sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&peer), sizeof peer));
    }).join();
    return sent == 1 ? 0 : 1;
  }) == 0);
  const auto seen = stage.seen("127.0.0.8");
  REQUIRE(seen);
  CHECK(seen->executable.find("catcher_test") != std::string::npos);
}

TEST_CASE("a socket's cookie leads to its owner") {
  Stage stage;
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  CHECK(stage.in_child([&] {
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    auto peer = to("127.0.0.9", 40007);
    if (connect(fd, reinterpret_cast<sockaddr*>(&peer), sizeof peer) != 0) return 1;
    std::uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size);
    return write(pipe[1], &cookie, sizeof cookie) == sizeof cookie ? 0 : 2;
  }) == 0);
  std::uint64_t cookie = 0;
  REQUIRE(read(pipe[0], &cookie, sizeof cookie) == sizeof cookie);
  close(pipe[0]);
  close(pipe[1]);
  const auto owner = stage.witness.owner_of(cookie);
  REQUIRE(owner);
  CHECK(owner->executable.find("catcher_test") != std::string::npos);
  CHECK_FALSE(stage.witness.owner_of(cookie + 1'000'000));
}

TEST_CASE("once the witness is gone, a call fails and does not hang") {
  Stage stage;
  int go[2], ready[2];
  REQUIRE(pipe(go) == 0);
  REQUIRE(pipe(ready) == 0);
  const auto handoff = stage.witness.handoff();
  REQUIRE(handoff);
  const pid_t pid = fork();
  if (pid == 0) {
    char byte = 0;
    if (handoff->install() != 0 || write(ready[1], "x", 1) != 1 || read(go[0], &byte, 1) != 1)
      _exit(99);
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    auto peer = to("127.0.0.1", 9);
    _exit(connect(fd, reinterpret_cast<sockaddr*>(&peer), sizeof peer) == 0 ? 0 : errno);
  }
  char attached = 0;
  REQUIRE(read(ready[0], &attached, 1) == 1);
  stage.witness.stop();
  REQUIRE(write(go[1], "x", 1) == 1);
  close(go[0]);
  close(go[1]);
  close(ready[0]);
  close(ready[1]);
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  CHECK(WEXITSTATUS(status) == ENOSYS);
}

TEST_CASE("a start after the end of the witness is refused, at once") {
  Stage stage;
  stage.witness.stop();
  CHECK(stage.in_child([] { return 0; }) == 99);
}

TEST_CASE("an address that cannot be read is counted, and the call goes its way") {
  Stage stage;
  CHECK(stage.in_child([] {
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return syscall(SYS_connect, fd, 8, sizeof(sockaddr_in)) == -1 && errno == EFAULT ? 0 : 1;
  }) == 0);
  const auto rows = stage.witness.rows({});
  CHECK(std::any_of(rows.begin(), rows.end(), [](const auto& row) {
    return row.name() == "addresses that could not be read";
  }));
}
