// What the search could not see, it says.
#include <fcntl.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "canary/search.hpp"
#include "material.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

TEST_CASE("a file that may not be read is named") {
  if (!test::require(geteuid() == 0, "root, to give it up")) return;
  const test::TemporaryFolder folder;
  folder.write("closed", kValue);
  folder.write("open", "x");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder / "closed", std::filesystem::perms(0));
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) _exit(99);
    const auto result = search(plan_for({folder.path().string()})).value();
    const bool told = result.unseen.size() == 1 && result.hits.empty() &&
                      result.unseen[0].path == (folder / "closed").string() &&
                      result.unseen[0].why == "could not be opened: Permission denied";
    _exit(told && result.counts.files == 1 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

// Who may not read a file may list its attributes, and not read them.
TEST_CASE("an attribute that may not be read is named") {
  if (!test::require(geteuid() == 0, "root, to give it up")) return;
  const test::TemporaryFolder folder;
  const auto closed = folder.write("closed", "x");
  const bool kept = setxattr(closed.c_str(), "user.note", kValue.data(), kValue.size(), 0) == 0;
  if (!test::require(kept, "a file system with extended attributes")) return;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(closed, std::filesystem::perms(0));
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) _exit(99);
    const auto result = search(plan_for({folder.path().string()})).value();
    const bool told = result.hits.empty() && result.unseen.size() == 2 &&
                      result.unseen[1].path == closed.string() &&
                      result.unseen[1].why ==
                          "has an extended attribute user.note that could not be read: "
                          "Permission denied";
    _exit(told ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("formats that the search does not open are named") {
  const test::TemporaryFolder folder;
  folder.write("x.zip", "PK\x03\x04 and so on");
  folder.write("x.zst", "\x28\xb5\x2f\xfd and so on");
  const auto result = search(plan_for({folder.path().string()})).value();
  REQUIRE(result.unseen.size() == 2);
  CHECK(result.unseen[0].why == "is zip by its first bytes, which this search does not open");
  CHECK(result.unseen[1].cause == Unseen::Cause::undecoded);
}

TEST_CASE("files of /proc, which have no size and may fail, are read or named") {
  const auto status = search(plan_for({"/proc/self/status", "/proc/self/environ"})).value();
  CHECK(status.counts.with_content == 2);
  CHECK(status.counts.read > 100);
  const auto memory = search(plan_for({"/proc/self/mem"})).value();
  REQUIRE(memory.unseen.size() == 1);
  CHECK(memory.unseen[0].why.find("Input/output error") != std::string::npos);
}

// A writer that never stops: every pass must end, and none may pass for a look at a file that stood
// still.
TEST_CASE("a file that is written to while it is read is named") {
  const test::TemporaryFolder folder;
  const auto path = folder.write("log", filler(1 << 20));
  std::atomic<bool> stop = false;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const auto bytes = filler(4096);
    for (off_t at = 0; !stop; at = (at + 4096) % (off_t{16} << 20)) {
      if (at == 0 && ftruncate(fd, 1 << 20) != 0) break;
      if (pwrite(fd, bytes.data(), bytes.size(), at) < 0) break;
      ++written;
    }
    close(fd);
  });
  while (written == 0) std::this_thread::yield();
  bool told = false;
  for (int pass = 0; pass < 200 && !told; ++pass) {
    const auto result = search(plan_for({path.string()})).value();
    told = !result.unseen.empty();
  }
  stop = true;
  writer.join();
  CHECK(told);
}
