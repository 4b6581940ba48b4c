#include "canary/walk.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
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

Walked rest_of(Walk& steps) {
  Walked walked;
  while (const auto entry = steps.next()) {
    walked.entries[entry->path.substr(entry->below)] = entry->kind;
    ++walked.count;
  }
  walked.unseen = steps.unseen();
  return walked;
}

Walked walk(const std::filesystem::path& root) {
  Walk steps({root.string()});
  return rest_of(steps);
}

// So many folders in each other, each beside a file; "d" and "a" or "z".
void make_deep(const std::filesystem::path& root, int levels) {
  int at = open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int level = 0; level < levels; ++level) {
    REQUIRE(mkdirat(at, "dir", 0700) == 0);
    close(openat(at, level % 2 == 0 ? "a" : "z", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    const int below = openat(at, "dir", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(at);
    at = below;
  }
  close(at);
}

// The descriptors that this process may have open, put back afterwards.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t most) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{most, before_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

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
// keeps open or than there are descriptors. Each has a file beside the folder, so each must be
// opened again on the way back.
TEST_CASE("a tree deeper than PATH_MAX is walked to its end") {
  const test::TemporaryFolder folder;
  make_deep(folder.path(), 1100);
  const FewDescriptors few(256);
  const auto walked = walk(folder.path());
  CHECK(walked.count == 1 + 2 * 1100);
  CHECK(walked.unseen.empty());
}

TEST_CASE("a link put in place of a folder after it was listed leads nowhere, and is told") {
  const test::TemporaryFolder folder;
  folder.write("root/place/file", "x");
  folder.write("elsewhere/other", "x");
  Walk steps({(folder / "root").string()});
  REQUIRE(steps.next());  // the root: what it holds is listed now
  std::filesystem::remove_all(folder / "root/place");
  std::filesystem::create_directory_symlink(folder / "elsewhere", folder / "root/place");
  const auto walked = rest_of(steps);
  CHECK(walked.count == 1);
  REQUIRE(walked.unseen.size() == 1);
  CHECK(walked.unseen[0].path == (folder / "root/place").string());
}

// The walk keeps the last 64 open: on its way back it meets a folder above that is another one.
TEST_CASE("a branch that is moved while it is walked is told") {
  const test::TemporaryFolder folder;
  make_deep(folder.path(), 80);
  std::filesystem::create_directory(folder / "elsewhere");
  auto deepest = folder.path();
  for (int level = 0; level < 80; ++level) deepest /= "dir";
  Walk steps({(folder / "dir").string()});
  while (steps.next().value().path != deepest) continue;
  std::filesystem::rename(folder / "dir/dir/dir", folder / "elsewhere/dir");
  const auto walked = rest_of(steps);
  REQUIRE(walked.unseen.size() == 1);
  CHECK(walked.unseen[0].path == (folder / "dir/dir").string());
  CHECK(walked.unseen[0].why.find("was moved while it was searched") != std::string::npos);
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
