#include "subject/launch/folders.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::subject;
namespace fs = std::filesystem;

namespace {

Identity myself() {
  return *find_identity("");
}

struct stat status_of(const fs::path& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status;
}

}  // namespace

TEST_CASE("a launch has a work folder and, below it, data, home and tmp") {
  const test::TemporaryFolder scratch;
  const auto folders = make_folders(scratch.path(), "launch 2", {}, myself());
  REQUIRE(folders);
  CHECK(folders->work == scratch / "launch-2");
  for (const auto& folder : {folders->data, folders->home, folders->tmp}) {
    CHECK(folder.parent_path() == folders->work);
    CHECK((status_of(folder).st_mode & 0777) == 0700);
  }
}

TEST_CASE("launches of the same name have folders of their own") {
  const test::TemporaryFolder scratch;
  const auto first = make_folders(scratch.path(), "x", {}, myself());
  const auto second = make_folders(scratch.path(), "x", {}, myself());
  const auto third = make_folders(scratch.path(), "x", {}, myself());
  REQUIRE((first && second && third));
  CHECK(second->work == scratch / "x-2");
  CHECK(third->work == scratch / "x-3");
}

TEST_CASE("the name of a launch cannot lead out of the scratch folder") {
  const test::TemporaryFolder scratch;
  for (const auto* name : {"../x", "..", ".", "", "a/b", "/etc"}) {
    const auto folders = make_folders(scratch.path(), name, {}, myself());
    REQUIRE(folders);
    CHECK(folders->work.parent_path() == scratch.path());
  }
}

TEST_CASE("a shared home is used as it is") {
  const test::TemporaryFolder scratch, home;
  home.write("kept", "x");
  const auto folders = make_folders(scratch.path(), "x", home.path(), myself());
  REQUIRE(folders);
  CHECK(folders->home == home.path());
  CHECK(fs::exists(home / "kept"));
}

TEST_CASE("folders belong to the subject's user, who can pass the one above") {
  if (!test::require(geteuid() == 0, "root, to give folders to the user nobody")) return;
  const test::TemporaryFolder scratch;
  const auto nobody = find_identity("nobody");
  REQUIRE(nobody);
  const auto folders = make_folders(scratch.path(), "x", {}, *nobody);
  REQUIRE(folders);
  REQUIRE(write_files(folders->work, {{"etc/conf", "x"}}, *nobody));
  for (const auto& path : {folders->work, folders->data, folders->work / "etc/conf"})
    CHECK(status_of(path).st_uid == nobody->uid);
  CHECK((status_of(scratch.path()).st_mode & 0777) == 0711);
}

TEST_CASE("files are written below the work folder, for nobody else to read") {
  const test::TemporaryFolder work;
  const Pairs files = {{"config.toml", "listen = 1\n"}, {"a/b/./c", std::string("x\0y", 3)}};
  REQUIRE(write_files(work.path(), files, myself()));
  CHECK(test::read_file(work / "config.toml") == "listen = 1\n");
  CHECK(test::read_file(work / "a/b/c") == std::string("x\0y", 3));
  CHECK((status_of(work / "config.toml").st_mode & 0777) == 0600);
}

TEST_CASE("a file's name cannot lead out of the work folder") {
  const test::TemporaryFolder outer;
  const fs::path work = outer / "work";
  fs::create_directory(work);
  for (const auto* name : {"../x", "/tmp/x", "a/../../x", "..", ".", "", "a/", "a/.."}) {
    const auto written = write_files(work, {{name, "x"}}, myself());
    REQUIRE_FALSE(written);
    CHECK(written.error().fault == Fault::input);
    CHECK_THAT(written.error().what, test::Holds(std::string("'") + name + "'"));
  }
  CHECK_FALSE(fs::exists(outer / "x"));
}
