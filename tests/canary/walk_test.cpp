#include "canary/walk.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

struct Walked {
  std::map<std::string, EntryKind> entries;  // by the part below the root
  std::vector<Unseen> unseen;
  std::size_t count = 0;
};

Walked walk(const std::filesystem::path& root) {
  Walk steps({root.string()});
  Walked walked;
  while (const auto entry = steps.next()) {
    walked.entries[entry->path.substr(entry->below)] = entry->kind;
    ++walked.count;
  }
  walked.unseen = steps.unseen();
  return walked;
}

}  // namespace

TEST_CASE("everything in a tree is met once, of whatever kind") {
  const test::TemporaryFolder folder;
  folder.write("a/b/c", "x");
  folder.write(".hidden/.file", "x");
  folder.write("bytes \xff\xfe", "x");
  std::filesystem::create_directory(folder / "empty");
  std::filesystem::create_symlink("/etc", folder / "out");
  std::filesystem::create_directory_symlink("..", folder / "a/loop");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);

  const auto walked = walk(folder.path());
  CHECK(walked.unseen.empty());
  CHECK(walked.count == walked.entries.size());
  CHECK(walked.entries == std::map<std::string, EntryKind>{{"", EntryKind::folder},
                                                           {"/a", EntryKind::folder},
                                                           {"/a/b", EntryKind::folder},
                                                           {"/a/b/c", EntryKind::file},
                                                           {"/a/loop", EntryKind::symlink},
                                                           {"/.hidden", EntryKind::folder},
                                                           {"/.hidden/.file", EntryKind::file},
                                                           {"/bytes \xff\xfe", EntryKind::file},
                                                           {"/empty", EntryKind::folder},
                                                           {"/out", EntryKind::symlink},
                                                           {"/dangling", EntryKind::symlink},
                                                           {"/fifo", EntryKind::fifo}});
}

TEST_CASE("a root may be a file, a link, or end in slashes") {
  const test::TemporaryFolder folder;
  folder.write("real/file", "x");
  std::filesystem::create_directory_symlink("real", folder / "link");
  CHECK(walk(folder / "real/file").entries ==
        std::map<std::string, EntryKind>{{"", EntryKind::file}});
  CHECK(walk(folder / "link").entries.count("/file") == 1);
  CHECK(walk((folder / "real").string() + "//").entries.count("/file") == 1);
}

// 1,100 levels of 4 characters are more bytes than PATH_MAX, and more folders than the walk
// keeps open. Each has a file beside the folder, so each must be opened again on the way back.
TEST_CASE("a tree deeper than PATH_MAX is walked to its end") {
  const test::TemporaryFolder folder;
  int at = open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int level = 0; level < 1100; ++level) {
    REQUIRE(mkdirat(at, "dir", 0700) == 0);
    close(openat(at, level % 2 == 0 ? "a" : "z", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    const int below = openat(at, "dir", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(at);
    at = below;
  }
  close(at);
  const auto walked = walk(folder.path());
  CHECK(walked.count == 1 + 2 * 1100);
  CHECK(walked.unseen.empty());
}

TEST_CASE("a folder that may not be read is told") {
  const test::TemporaryFolder folder;
  folder.write("closed/file", "x");
  folder.write("open", "x");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder / "closed", std::filesystem::perms(0));
  if (!test::require(geteuid() == 0, "root, to give it up")) return;
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) _exit(99);
    const auto walked = walk(folder.path());
    const bool told = walked.unseen.size() == 1 &&
                      walked.unseen[0].path == (folder / "closed").string() &&
                      walked.unseen[0].why.find("Permission denied") != std::string::npos;
    _exit(told && walked.entries.size() == 3 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::filesystem::permissions(folder / "closed", std::filesystem::perms(0700));
  CHECK(status == 0);
}

TEST_CASE("a folder mounted into itself is not entered without end, and told") {
  const test::TemporaryFolder folder;
  folder.write("a/b/file", "x");
  const pid_t child = fork();
  if (child == 0) {
    const auto a = (folder / "a").string();
    const auto b = (folder / "a/b").string();
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, "") != 0 ||
        mount(a.c_str(), b.c_str(), "", MS_BIND, "") != 0)
      _exit(99);
    const auto walked = walk(folder.path());
    _exit(walked.unseen.size() == 1 && walked.unseen[0].path == b && walked.count == 3 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!test::require(WEXITSTATUS(status) != 99, "root, to mount a folder")) return;
  CHECK(status == 0);
}
