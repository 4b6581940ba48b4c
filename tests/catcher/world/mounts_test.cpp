#include "catcher/world/mounts.hpp"

#include "support/catch.hpp"

using namespace telltale::catcher;

TEST_CASE("the line for hosts of nsswitch.conf is replaced, and the others stay") {
  CHECK(world_nsswitch("passwd: files systemd\nhosts: files mdns4 resolve [!UNAVAIL=return] dns\n"
                       "networks: files\n") ==
        "passwd: files systemd\nhosts: files dns\nnetworks: files\n");
  CHECK(world_nsswitch("  hosts :\tresolve\n") == "hosts: files dns\n");
  CHECK(world_nsswitch("# hosts: resolve\n") == "# hosts: resolve\n\nhosts: files dns\n");
}

TEST_CASE("only sockets with a path are listed, with spaces in it too, each once") {
  const auto paths = socket_paths(
      "Num       RefCount Protocol Flags    Type St Inode Path\n"
      "0000000000000000: 00000002 00000000 00010000 0001 01 20 /run/a.sock\n"
      "0000000000000000: 00000003 00000000 00000000 0001 03 21 /run/a.sock\n"
      "0000000000000000: 00000003 00000000 00000000 0001 03 22\n"
      "0000000000000000: 00000002 00000000 00010000 0001 01 23 @/tmp/abstract\n"
      "0000000000000000: 00000002 00000000 00010000 0001 01 24 /tmp/with space/b\n");
  CHECK(paths == std::vector<std::string>{"/run/a.sock", "/tmp/with space/b"});
}
