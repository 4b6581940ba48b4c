#include "canary/stray_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

#include "canary/material.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

struct Shared {
  test::TemporaryFolder folder;
  StrayPlan plan{{folder.path()}, {}, std::time(nullptr) - 1, {"not-this-one-4711", kValue}};
};

}  // namespace

TEST_CASE("a file in a shared folder that holds a canary is found, whatever else it holds") {
  Shared shared;
  std::filesystem::create_directories(shared.folder / "a/b");
  const auto file = shared.folder.write("a/b/core", filler_with(5000, 4000));
  (void)shared.folder.write("other", filler(100));
  const auto found = stray_files(shared.plan);
  CHECK(found.files == 2);
  CHECK_FALSE(found.cut);
  REQUIRE(found.hits.size() == 1);
  CHECK(found.hits[0].path == file.string());
  CHECK(found.hits[0].pattern == 1);
  CHECK(found.hits[0].offsets == std::vector<std::uint64_t>{4000});
}

TEST_CASE("what was there before, and the run's own folders, are left alone") {
  Shared shared;
  (void)shared.folder.write("old", kValue);
  std::filesystem::create_directories(shared.folder / "run/work");
  (void)shared.folder.write("run/work/log", kValue);
  SECTION("of the run") {
    shared.plan.without = {shared.folder / "run"};
    const auto found = stray_files(shared.plan);
    REQUIRE(found.hits.size() == 1);
    CHECK(found.hits[0].path == (shared.folder / "old").string());
  }
  SECTION("from before") {
    shared.plan.since = std::time(nullptr) + 60;
    CHECK(stray_files(shared.plan).files == 0);
  }
}

// Whoever copies a file with its times, or unpacks one, sets its modification time to long ago.
TEST_CASE("a file that was put there with an old date is found") {
  Shared shared;
  const auto file = shared.folder.write("copy", kValue);
  const timespec long_ago[2] = {{1, 0}, {1, 0}};
  REQUIRE(utimensat(AT_FDCWD, file.c_str(), long_ago, 0) == 0);
  CHECK(stray_files(shared.plan).hits.size() == 1);
}

TEST_CASE("three folders deep is looked at, and the first 16 MiB of a file") {
  Shared shared;
  const auto deep = shared.folder.write("a/b/c/file", kValue);
  (void)shared.folder.write("a/b/c/d/file", kValue);
  const auto large = shared.folder.write("large", "");
  std::filesystem::resize_file(large, std::uintmax_t{16} << 20);
  std::ofstream(large, std::ios::app) << kValue;
  const auto found = stray_files(shared.plan);
  CHECK(found.files == 2);
  REQUIRE(found.hits.size() == 1);
  CHECK(found.hits[0].path == deep.string());
}

TEST_CASE("a folder of more than 20,000 entries is looked at in part, and that is told") {
  Shared shared;
  for (int i = 0; i < 20'001; ++i)
    REQUIRE(symlink("x", (shared.folder.path() / std::to_string(i)).c_str()) == 0);
  CHECK(stray_files(shared.plan).cut);
  std::filesystem::remove(shared.folder / "0");
  CHECK_FALSE(stray_files(shared.plan).cut);
}

TEST_CASE("links, folders that are not there and no canary at all are nothing to look at") {
  Shared shared;
  const test::TemporaryFolder elsewhere;
  const auto target = elsewhere.write("target", kValue);
  std::filesystem::create_symlink(target, shared.folder / "link");
  shared.plan.folders.emplace_back(shared.folder / "nowhere");
  CHECK(stray_files(shared.plan).files == 0);
  shared.plan.canaries.clear();
  CHECK(stray_files(shared.plan).hits.empty());
}
