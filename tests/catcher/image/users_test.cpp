#include "catcher/image/users.hpp"

#include <fcntl.h>

#include "subject/file_descriptor.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using catcher::image::find_image_user;

namespace {

struct Accounts {
  test::TemporaryFolder folder;
  subject::FileDescriptor root;
  explicit Accounts(const std::string& passwd)
      : root(open(folder.path().c_str(), O_PATH | O_CLOEXEC)) {
    folder.write("etc/passwd", passwd);
    folder.write("etc/group", "root:x:0:\nstaff:x:50:app,other\nweb:x:80:app\n");
  }
};

}  // namespace

TEST_CASE("a user by name, by number, with a group of its own, or none at all") {
  const Accounts image("root:x:0:0::/root:/bin/sh\napp:x:101:102:App:/srv:/bin/false\n");
  const auto app = find_image_user("app", image.root.get());
  REQUIRE(app);
  CHECK(app->uid == 101);
  CHECK(app->gid == 102);
  CHECK(app->home == "/srv");
  CHECK(app->groups == std::vector<gid_t>{50, 80});
  CHECK(find_image_user("101", image.root.get())->name == "app");
  CHECK(find_image_user("app:web", image.root.get())->gid == 80);
  CHECK(find_image_user("app:7", image.root.get())->gid == 7);
  const auto unknown = find_image_user("4711", image.root.get());
  REQUIRE(unknown);
  CHECK(unknown->uid == 4711);
  CHECK(unknown->gid == 0);
  CHECK(find_image_user("", image.root.get())->uid == 0);
}

TEST_CASE("a name that the image does not know, and numbers that are none") {
  const Accounts image("app:x:abc:0::/:\n");
  for (const auto* user : {"nobody", "app", "4294967295", "-1", "0:nogroup"}) {
    const auto found = find_image_user(user, image.root.get());
    REQUIRE_FALSE(found);
    CHECK(found.error().fault == Fault::input);
  }
}

TEST_CASE("a password file that is a link out of the image is not the machine's") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "etc");
  std::filesystem::create_symlink("../../../../../../../etc/passwd", folder / "etc/passwd");
  const subject::FileDescriptor root(open(folder.path().c_str(), O_PATH | O_CLOEXEC));
  CHECK_FALSE(find_image_user("daemon", root.get()));
}
