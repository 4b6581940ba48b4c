#include "subject/readiness/notify_socket.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using telltale::subject::FileDescriptor;
using telltale::subject::NotifySocket;

namespace {

void send(const std::filesystem::path& path, const std::string& text) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  REQUIRE(sendto(socket.get(), text.data(), text.size(), 0,
                 reinterpret_cast<const sockaddr*>(&address), sizeof address) >= 0);
}

}  // namespace

TEST_CASE("READY=1 makes a subject ready, alone or among other lines") {
  const test::TemporaryFolder folder;
  auto socket = NotifySocket::open(folder / "notify");
  REQUIRE(socket);
  CHECK_FALSE(socket->ready());
  send(folder / "notify", "STATUS=loading\nMAINPID=1\n");
  CHECK_FALSE(socket->ready());
  CHECK(socket->status() == "loading");
  for (const auto* other : {"READY=0", "READY=10", "NOTREADY=1", "READY=1 ", ""}) {
    send(folder / "notify", other);
    CHECK_FALSE(socket->ready());
  }
  send(folder / "notify", "STATUS=up\nREADY=1");
  CHECK(socket->ready());
  CHECK(socket->ready());
  send(folder / "notify", "READY=1");
  socket->forget();
  CHECK_FALSE(socket->ready());
}

TEST_CASE("any user may write to the notify socket") {
  const test::TemporaryFolder folder;
  const auto socket = NotifySocket::open(folder / "notify");
  REQUIRE(socket);
  struct stat status {};
  REQUIRE(stat((folder / "notify").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0666);
}

// sd_notify_barrier(3): the sender passes the end of a pipe and waits until it is closed.
TEST_CASE("a descriptor that comes along is closed") {
  const test::TemporaryFolder folder;
  auto socket = NotifySocket::open(folder / "notify");
  REQUIRE(socket);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, (folder / "notify").c_str());
  char text[] = "BARRIER=1";
  iovec part{text, sizeof text - 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_name = &address;
  message.msg_namelen = sizeof address;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &ends[1], sizeof(int));
  const FileDescriptor sender(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  REQUIRE(sendmsg(sender.get(), &message, 0) > 0);
  close(ends[1]);
  CHECK_FALSE(socket->ready());
  pollfd wait{ends[0], POLLIN, 0};
  CHECK(poll(&wait, 1, 10'000) == 1);
  CHECK((wait.revents & POLLHUP) != 0);
  close(ends[0]);
}

TEST_CASE("a path too long for a socket is refused with its length's fix") {
  const auto socket = NotifySocket::open("/tmp/" + std::string(120, 'x'));
  REQUIRE_FALSE(socket);
  CHECK_THAT(socket.error().fix, test::Holds("TMPDIR"));
}
