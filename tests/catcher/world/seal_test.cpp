// What a subject inside cannot do, and what it still can.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "inside.hpp"
#include "subject/descendants.hpp"
#include "subject/process_tree.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::test;

TEST_CASE("raw and packet sockets are refused inside, and so is vsock") {
  if (!have_world()) return;
  CHECK(python_inside("try_(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 253))").output ==
        "EPERM\n");
  CHECK(python_inside("try_(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3))").output ==
        "EPERM\n");
  CHECK(python_inside("try_(lambda: socket.socket(40, socket.SOCK_STREAM))").output ==
        "EAFNOSUPPORT\n");
}

// RTM_DELROUTE of 0.0.0.0/0: EPERM in the error message.
TEST_CASE("routes, links and the mounts cannot be changed from inside") {
  if (!have_world()) return;
  CHECK(python_inside(R"(
import struct
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
body = struct.pack('=BBBBBBBBI', 2, 0, 0, 0, 254, 0, 0, 0, 0)
s.send(struct.pack('=IHHII', 16 + len(body), 25, 5, 1, 0) + body)
print(errno.errorcode[-struct.unpack('=i', s.recv(99)[16:20])[0]])
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.umount2(b'/run', 2), errno.errorcode[ctypes.get_errno()])
)")
            .output == "EPERM\n-1 EPERM\n");
}

TEST_CASE("the machine's network cannot be entered, even with a descriptor of it in hand") {
  if (!have_world()) return;
  const auto ran = python_inside(
      R"(
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.setns(0, 0x40000000), errno.errorcode[ctypes.get_errno()])
)",
      [](subject::ProcessPlan& plan) {
        plan.input = subject::FileDescriptor(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
      });
  CHECK(ran.output == "-1 EPERM\n");
}

TEST_CASE("a listener of the machine is not reached from inside") {
  if (!have_world()) return;
  const subject::FileDescriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(bind(listener.get(), generic, size) == 0);
  REQUIRE(listen(listener.get(), 9) == 0);
  REQUIRE(getsockname(listener.get(), generic, &size) == 0);
  CHECK(python_inside("try_(lambda: socket.create_connection(('127.0.0.1', " +
                      std::to_string(ntohs(address.sin_port)) + ")))")
            .output == "ECONNREFUSED\n");
  pollfd nothing{listener.get(), POLLIN, 0};
  CHECK(poll(&nothing, 1, 0) == 0);
}

TEST_CASE("a path socket of the machine is not reached from inside, in /run or elsewhere") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "daemon.sock";
  const subject::FileDescriptor listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(listen(listener.get(), 9) == 0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(path, std::filesystem::perms(0777));
  if (!have_world()) return;
  auto fresh = catcher::make_sealed_enclosure({});  // after the daemon has come
  REQUIRE(fresh);
  subject::ProcessPlan plan;
  plan.argv = {"python3", "-c",
               "import socket, sys\ns = socket.socket(socket.AF_UNIX)\n"
               "sys.exit(11 if s.connect_ex('" +
                   path.string() + "') == 111 else 1)"};
  plan.environment = {{"PATH", "/usr/bin:/bin"}};
  plan.folder = "/";
  auto process = (*fresh)->start(std::move(plan));
  REQUIRE(process);
  const auto exit = (*process)->wait(subject::Milliseconds(60'000));
  REQUIRE(exit);
  CHECK(exit->status == 11);  // ECONNREFUSED
  CHECK(python_inside("print([n for r, d, f in os.walk('/run') for n in f if not n.endswith("
                      "('.conf', 'nothing'))])")
            .output == "[]\n");
}

TEST_CASE("a low port can be bound, and ping answers, with and without IPv6") {
  if (!have_world()) return;
  CHECK(python_inside("try_(lambda: socket.create_server(('', 80)).getsockname()[1])").output ==
        "ok 80\n");
  if (!require(have_program("ping"), "ping")) return;
  CHECK(run_inside({"ping", "-c1", "-W5", "192.0.2.1"}).exit.clean());
  CHECK(run_inside({"ping", "-c1", "-W5", "2001:db8::9"}).exit.clean());
}

TEST_CASE("processes inside see only themselves, and the tool is out of sight") {
  if (!have_world()) return;
  CHECK(python_inside("print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit()) == "
                      "[1, os.getpid()], os.getppid())")
            .output == "True 0\n");
  CHECK(python_inside("try_(lambda: os.kill(1, 9) or 'ignored')").output == "ok ignored\n");
}

TEST_CASE("names are asked of the world, whatever the machine is set to") {
  if (!have_world()) return;
  CHECK(run_inside({"cat", "/etc/resolv.conf"}).output == "nameserver 198.51.100.1\n");
  CHECK_THAT(run_inside({"cat", "/etc/nsswitch.conf"}).output, Holds("hosts: files dns\n"));
}

TEST_CASE("the subject is the user that it would be outside") {
  if (!have_world()) return;
  CHECK(run_inside({"id", "-u"}).output == std::to_string(getuid()) + "\n");
  if (getuid() != 0) return;  // an ordinary user has no other to start as
  const auto ran = run_inside({"id"}, [](auto& plan) { plan.user = "nobody"; });
  CHECK_THAT(ran.output, Holds("uid=65534(nobody) gid=65534(nogroup)"));
}

TEST_CASE("a daemon that detached itself is found by the tool and ends with it") {
  if (!have_world()) return;
  subject::FileDescriptor output;
  auto process = start_python(R"(
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print('detached', flush=True)
        time.sleep(600)
    os._exit(0)
time.sleep(600)
)",
                              output);
  subject::ProcessTree tree(process->pid(), false);
  CHECK(read_line(output.get()) == "detached\n");
  CHECK(eventually([&] { return tree.look().size() == 2; }));
  CHECK(subject::descendants_of_this_process().size() >= 3);  // and process 1
  for (const auto& entry : tree.look()) subject::signal_process(entry, SIGKILL);
  CHECK(eventually([&] { return tree.look().empty(); }));
  const auto exit = process->wait(subject::Milliseconds(10'000));
  REQUIRE(exit);
  CHECK(exit->signal == SIGKILL);
}

TEST_CASE("exit status and errors of a start are those of the plain enclosure") {
  if (!have_world()) return;
  CHECK(run_inside({"sh", "-c", "exit 7"}).exit.status == 7);
  CHECK_THAT(run_inside({"/no/such/program"}).output, Holds("does not exist"));
  CHECK_THAT(run_inside({"true"}, [](auto& plan) { plan.folder = "/no/such"; }).output,
             Holds("cannot enter its working folder"));
}

namespace {

struct Noted final : catcher::StartHook {
  Noted(int pipe_end, pid_t& seen, int error) : end(pipe_end), process(seen), answer(error) {}
  [[nodiscard]] int in_child() override { return write(end, "c", 1) == 1 ? answer : EPIPE; }
  void in_tool(pid_t pid) override { process = pid; }
  int end;
  pid_t& process;
  int answer;
};

}  // namespace

TEST_CASE("a hook runs in the child before its exec, and in the tool") {
  if (!have_world()) return;
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  pid_t process = 0;
  int answer = 0;
  sealed()->set_hooks([&]() -> Result<std::unique_ptr<catcher::StartHook>> {
    return std::make_unique<Noted>(ends[1], process, answer);
  });
  CHECK(run_inside({"true"}).exit.clean());
  char byte = 0;
  CHECK((read(ends[0], &byte, 1) == 1 && byte == 'c'));
  CHECK(process > 0);
  answer = ENOSYS;
  CHECK_THAT(run_inside({"true"}).output, Holds("could not enter the sealed world"));
  sealed()->set_hooks({});
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("System V memory of the machine is not the subject's") {
  if (!have_world()) return;
  const int segment = shmget(IPC_PRIVATE, 4096, 0666 | IPC_CREAT);
  REQUIRE(segment >= 0);
  CHECK_THAT(run_inside({"cat", "/proc/sysvipc/shm"}).output, Holds("shmid"));
  CHECK(run_inside({"grep", "-c", "4096", "/proc/sysvipc/shm"}).output == "0\n");
  shmctl(segment, IPC_RMID, nullptr);
}

TEST_CASE("under root the machine's settings cannot be written from inside") {
  if (!have_world() || getuid() != 0) return;
  CHECK(python_inside("try_(lambda: open('/proc/sys/kernel/core_pattern', 'r+'))").output ==
        "EROFS\n");
}

// Before Linux 6.14 the limit would be the whole machine's, so there is none.
TEST_CASE("a fork bomb ends at the limit of processes, and leaves nobody") {
  if (!have_world()) return;
  catcher::WorldPlan plan;
  plan.process_limit = 400;  // the kernel takes 301 at least
  auto small = catcher::make_sealed_enclosure(plan);
  REQUIRE(small);
  if (!(*small)->world().process_limit_set()) return;
  subject::ProcessPlan bomb;
  bomb.argv = {"python3", "-c",
               "import os, sys, time\nfor n in range(500):\n  try:\n    if os.fork() == 0: "
               "time.sleep(600)\n  except OSError: sys.exit(7 if n < 400 else 8)"};
  bomb.environment = {{"PATH", "/usr/bin:/bin"}};
  bomb.folder = "/";
  auto process = (*small)->start(std::move(bomb));
  REQUIRE(process);
  const auto init = (*small)->world().init();
  const auto exit = (*process)->wait(subject::Milliseconds(60'000));
  REQUIRE(exit);
  CHECK(exit->status == 7);
  small->reset();
  for (const auto& entry : subject::read_processes()) CHECK(entry.parent != init);
}

TEST_CASE("a folder of the tool stays, though it lies in /run") {
  if (!have_world() || getuid() != 0) return;  // nobody else writes there
  char folder[] = "/run/telltale-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const auto file = std::filesystem::path(folder) / "kept";
  std::ofstream(file) << "mine";
  catcher::WorldPlan plan;
  plan.keep = {folder};
  auto keeping = catcher::make_sealed_enclosure(plan);
  REQUIRE(keeping);
  subject::ProcessPlan look;
  look.argv = {"/bin/sh", "-c",
               "test $(cat " + file.string() + ") = mine && test ! -e /run/utmp && echo more >> " +
                   file.string()};
  look.folder = folder;
  auto process = (*keeping)->start(std::move(look));
  REQUIRE(process);
  const auto exit = (*process)->wait(subject::Milliseconds(60'000));
  REQUIRE(exit);
  CHECK(exit->text() == "exit status 0");
  CHECK(std::filesystem::file_size(file) == 9);  // the same file
  std::filesystem::remove_all(folder);
}
