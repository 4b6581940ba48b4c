#include "subject/scratch.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "world.hpp"

using telltale::subject::remove_tree;
using telltale::subject::Scratch;
using telltale::test::require;
namespace fs = std::filesystem;
namespace test = telltale::test;

TEST_CASE("a scratch folder is the tool's alone and goes with all it holds") {
  fs::path path;
  {
    auto scratch = Scratch::make();
    REQUIRE(scratch);
    path = scratch->path();
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    fs::create_directories(path / "a/b/c");
    test::write_file(path / "a/b/file", "x");
    fs::create_symlink("/", path / "a/link");
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a scratch folder that is moved is removed once, by its last owner") {
  fs::path first, second;
  {
    auto kept = Scratch::make();
    auto given = Scratch::make();
    REQUIRE((kept && given));
    first = kept->path();
    second = given->path();
    *kept = std::move(*given);
    CHECK_FALSE(fs::exists(first));
    CHECK(fs::exists(second));
  }
  CHECK_FALSE(fs::exists(second));
}

TEST_CASE("removal follows no symbolic link") {
  const test::TemporaryFolder outside;
  test::write_file(outside.path() / "precious", "x");
  chmod(outside.path().c_str(), 0755);
  const test::TemporaryFolder folder;
  fs::create_directory_symlink(outside.path(), folder.path() / "link");
  CHECK(remove_tree(folder.path()));
  CHECK(fs::exists(outside.path() / "precious"));
  struct stat status {};
  REQUIRE(stat(outside.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0755);
}

// As a user without privilege: root passes through closed folders anyway.
TEST_CASE("folders without permission are removed") {
  const test::TemporaryFolder outer;
  chmod(outer.path().c_str(), 0777);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(2);
    const fs::path tree = outer.path() / "tree";
    fs::create_directories(tree / "closed/deep/deeper");
    test::write_file(tree / "closed/deep/file", "x", 0);
    chmod((tree / "closed/deep/deeper").c_str(), 0);
    chmod((tree / "closed/deep").c_str(), 0500);
    chmod((tree / "closed").c_str(), 0);
    _exit(remove_tree(tree) && !fs::exists(tree) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("a tree deeper than a path can say is removed") {
  const test::TemporaryFolder folder;
  int here = open(folder.path().c_str(), O_RDONLY | O_DIRECTORY);
  const std::string name(200, 'd');
  for (int depth = 0; depth < 100; ++depth) {
    REQUIRE(mkdirat(here, name.c_str(), 0700) == 0);
    const int next = openat(here, name.c_str(), O_RDONLY | O_DIRECTORY);
    close(here);
    here = next;
  }
  close(here);
  CHECK(remove_tree(folder.path()));
  CHECK_FALSE(fs::exists(folder.path()));
}

// In a mount namespace of its own, so that nothing is left when it goes wrong.
TEST_CASE("a mount below is detached, and what it shows is untouched") {
  if (!require(geteuid() == 0, "root, to make a mount")) return;
  const test::TemporaryFolder outside, folder;
  fs::create_directories(outside.path() / "kept");
  test::write_file(outside.path() / "kept/precious", "x");
  chmod(outside.path().c_str(), 0755);
  const pid_t child = fork();
  if (child == 0) {
    const fs::path target = folder.path() / "work/target";
    fs::create_directories(target);
    test::write_file(folder.path() / "work/file", "");
    const std::string precious = (outside.path() / "kept/precious").string();
    const std::string file = (folder.path() / "work/file").string();
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      _exit(2);
    if (mount(outside.path().c_str(), target.c_str(), nullptr, MS_BIND, nullptr) != 0) _exit(3);
    if (mount(precious.c_str(), file.c_str(), nullptr, MS_BIND, nullptr) != 0) _exit(4);
    _exit(remove_tree(folder.path() / "work") ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 0);
  CHECK_FALSE(fs::exists(folder.path() / "work"));
  CHECK(fs::exists(outside.path() / "kept/precious"));
  struct stat mode {};
  REQUIRE(stat(outside.path().c_str(), &mode) == 0);
  CHECK((mode.st_mode & 0777) == 0755);
}

TEST_CASE("files of other users are removed by root") {
  if (!require(geteuid() == 0, "root, to give files away")) return;
  const test::TemporaryFolder folder;
  fs::create_directories(folder.path() / "theirs/deep");
  test::write_file(folder.path() / "theirs/deep/file", "x", 0);
  REQUIRE(chown((folder.path() / "theirs/deep").c_str(), 65534, 65534) == 0);
  REQUIRE(chown((folder.path() / "theirs").c_str(), 65534, 65534) == 0);
  chmod((folder.path() / "theirs").c_str(), 0);
  CHECK(remove_tree(folder.path()));
}

TEST_CASE("a folder of a run that was killed is removed by the next one, a living one is not") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const test::TemporaryFolder folder;
  setenv("TMPDIR", folder.path().c_str(), 1);
  const pid_t tool = fork();
  if (tool == 0) {
    auto scratch = Scratch::make();
    if (!scratch || write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char byte = 0;
  REQUIRE(read(ends[0], &byte, 1) == 1);
  const fs::path left = fs::directory_iterator(folder.path())->path();
  { const auto other = Scratch::make(); }
  CHECK(fs::exists(left));
  kill(tool, SIGKILL);
  waitpid(tool, nullptr, 0);
  { const auto other = Scratch::make(); }
  CHECK_FALSE(fs::exists(left));
  unsetenv("TMPDIR");
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("a folder for temporary files that is missing is named") {
  setenv("TMPDIR", "/no/such/folder", 1);
  const auto scratch = Scratch::make();
  unsetenv("TMPDIR");
  REQUIRE_FALSE(scratch);
  CHECK(scratch.error().fix.find("TMPDIR") != std::string::npos);
}
