#include "evidence/rooted_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using evidence::RootedFiles;
namespace fs = std::filesystem;

TEST_CASE("below another root, links lead where they would for a process in there") {
  const test::TemporaryFolder folder;
  folder.write("outside", "outside");
  folder.write("root/bin/tool", "inside");
  fs::create_symlink("/bin/tool", folder / "root/absolute");
  fs::create_symlink("../../../../bin/tool", folder / "root/upwards");
  fs::create_symlink("../outside", folder / "root/escape");
  const int root = open((folder / "root").c_str(), O_PATH | O_CLOEXEC);
  {
    RootedFiles files(root);
    for (const auto* name : {"/bin/tool", "bin/tool", "/absolute", "/upwards", "/../../bin/tool"})
      CHECK(test::read_file(files.at(name)) == "inside");
    CHECK_FALSE(fs::exists(files.at("/escape")));
    CHECK_FALSE(fs::exists(files.at("/missing")));
    CHECK(files.canonical("/missing") == "/missing");
  }
  close(root);
}

TEST_CASE("without another root a name is the machine's") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("file", "text");
  fs::create_symlink("file", folder / "link");
  RootedFiles files(-1);
  CHECK(files.at(file) == file);
  CHECK(files.canonical(folder / "link") == file);
}
