#include "catcher/daemon_sockets.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <fstream>

#include "subject/file_descriptor.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using telltale::catcher::DaemonSockets;
using telltale::subject::FileDescriptor;

namespace {

FileDescriptor bound(const std::string& path, int type) {
  FileDescriptor made(socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy_n(path.begin(), std::min(path.size(), sizeof address.sun_path - 1), address.sun_path);
  REQUIRE(bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return made;
}

}  // namespace

TEST_CASE("a path is a daemon's when it listens or takes datagrams, and stays one", "[daemons]") {
  const telltale::test::TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder / name).string(); };
  DaemonSockets sockets;
  {
    const auto listening = bound(path("listening"), SOCK_STREAM);
    REQUIRE(listen(listening.get(), 1) == 0);
    const auto datagrams = bound(path("datagrams"), SOCK_DGRAM);
    const auto idle = bound(path("idle"), SOCK_STREAM);
    CHECK_FALSE(sockets.take_from(path("listening")));
    sockets.look();
  }
  sockets.look();
  CHECK(sockets.take_from(path("listening")));
  CHECK(sockets.take_from(path("datagrams")));
  CHECK_FALSE(sockets.take_from(path("idle")));
  CHECK_FALSE(sockets.take_from(path("other")));
  std::filesystem::create_symlink(folder.path(), folder.path() / "way");
  CHECK(sockets.take_from(path("way/listening")));
}

TEST_CASE("abstract names and lines that make no sense are nobody's", "[daemons]") {
  const telltale::test::TemporaryFolder folder;
  const auto list = folder.path() / "unix";
  std::ofstream(list) << "Num       RefCount Protocol Flags    Type St Inode Path\n"
                         "0: 00000002 00000000 00010000 0001 01 9 @abstract\n"
                         "0: 00000002 00000000 0001 /short\n"
                         "0: 00000002 00000000 00010000 0001 01 9 /no/such place/socket\n";
  DaemonSockets sockets(list);
  sockets.look();
  CHECK_FALSE(sockets.take_from("@abstract"));
  CHECK_FALSE(sockets.take_from("/short"));
  CHECK(sockets.take_from("/no/such place/socket"));
  DaemonSockets none(folder.path() / "missing");
  none.look();
  CHECK_FALSE(none.take_from("/no/such place/socket"));
}

TEST_CASE("what the world covers is out of reach, by every name of it", "[daemons]") {
  const telltale::test::TemporaryFolder folder;
  const auto list = folder.path() / "unix";
  std::ofstream(list) << "0000: 00000002 00000000 00010000 0001 01 4711 /run/nscd/socket\n"
                      << "0000: 00000002 00000000 00010000 0001 01 4712 /opt/agent/socket\n";
  DaemonSockets sockets(list);
  sockets.look();
  CHECK(sockets.take_from("/opt/agent/socket"));
  CHECK_FALSE(sockets.take_from("/run/nscd/socket"));
  CHECK_FALSE(sockets.take_from("/var/run/nscd/socket"));
}

TEST_CASE("what a datagram socket of AF_UNIX wrote to a daemon's was not looked at", "[daemons]") {
  const telltale::test::TemporaryFolder folder;
  const auto list = folder.path() / "unix";
  std::ofstream(list)
      << "0000: 00000002 00000000 00000000 0002 01 4711 /run/systemd/journal/socket\n"
      << "0000: 00000002 00000000 00010000 0001 01 4712 /opt/agent/listens\n"
      << "0000: 00000002 00000000 00000000 0002 01 4713 /opt/agent/log\n";
  DaemonSockets sockets(list);
  sockets.look();
  telltale::catcher::Sighting made;
  made.kind = "datagram socket";
  made.protocol = "udp";
  made.executable = "/usr/bin/notes";
  std::vector<telltale::evidence::Unexamined> all;
  sockets.tell_of_messages({made}, all);
  CHECK(all.empty());
  made.protocol = "unix";
  sockets.tell_of_messages({made}, all);
  REQUIRE(all.size() == 1);
  CHECK(all[0].key == "message:/opt/agent/log");
  CHECK(all[0].what.find("/usr/bin/notes") != std::string::npos);
}
