// A tree that changes between the look at a folder and the look at what is in it.
#include "canary/examiner.hpp"

#include <sys/stat.h>

#include "material.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

// Lists a folder with the file "log" in it, lets `change` put something in its place, looks then.
SearchResult examined_after(const test::TemporaryFolder& folder,
                            const std::function<void(const std::filesystem::path&)>& change) {
  const auto file = folder.write("root/log", "x");
  Walk walk({(folder / "root").string()});
  REQUIRE(walk.next());
  const auto entry = walk.next();
  REQUIRE(entry);
  REQUIRE(entry->path == file.string());
  std::filesystem::remove(file);
  change(file);

  const auto matcher = make_gram_matcher({kValue});
  const UnpackLimits limits;
  const std::function<std::string(const std::string&)> shown = [](auto path) { return path; };
  HardLinks links;
  Work work(walk, [] { return false; });
  Scene scene{*matcher, limits, [] { return false; }, work, links, shown};
  Examiner examiner(scene);
  examiner.handle(std::vector<Entry>{*entry});
  return examiner.take();
}

}  // namespace

TEST_CASE("a link that took a file's place is told, and not followed") {
  const test::TemporaryFolder folder;
  const auto elsewhere = folder.write("elsewhere", kValue);
  const auto result = examined_after(
      folder, [&](const auto& file) { std::filesystem::create_symlink(elsewhere, file); });
  CHECK(result.hits.empty());
  REQUIRE(result.unseen.size() == 1);
  CHECK(result.unseen[0].why == "could not be opened: Too many levels of symbolic links");
}

TEST_CASE("a FIFO that took a file's place is told, and not waited for") {
  const test::TemporaryFolder folder;
  const auto result =
      examined_after(folder, [](const auto& file) { REQUIRE(mkfifo(file.c_str(), 0600) == 0); });
  CHECK(result.counts.files == 0);
  REQUIRE(result.unseen.size() == 1);
  CHECK(result.unseen[0].why == "became something else than a file");
}

TEST_CASE("a file that was removed before it was read is told") {
  const test::TemporaryFolder folder;
  const auto result = examined_after(folder, [](const auto&) {});
  REQUIRE(result.unseen.size() == 2);
  CHECK(result.unseen[0].why == "could not be opened: No such file or directory");
  CHECK(result.unseen[1].why ==
        "has extended attributes that could not be listed: No such file or directory");
}
