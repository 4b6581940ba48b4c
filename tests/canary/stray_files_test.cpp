#include "canary/stray_files.hpp"

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
