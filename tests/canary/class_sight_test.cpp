#include "canary/class_sight.hpp"

#include "material.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

const std::string kKey = "a key is no canary";

StoreRun run_that_left(const test::TemporaryFolder& folder) {
  StoreRun run;
  run.canaries = {kValue};
  auto plan = plan_for({folder.path().string()});
  auto key = key_patterns(kKey).value();
  plan.patterns.insert(plan.patterns.end(), key.begin(), key.end());
  run.search = search(plan).value();
  return run;
}

using Cells = std::vector<std::vector<evidence::Value>>;

}  // namespace

TEST_CASE("each class of file shows whether the control run had a canary in it") {
  const test::TemporaryFolder keyed, plain;
  keyed.write("data/notes.db", filler(4096));
  keyed.write("data/notes.db-wal", filler(4096));
  keyed.write("app.log", "started\n");
  keyed.write("app.log.1", "started\n");
  keyed.write("app.log.2.gz", gzipped("started"));
  keyed.write("empty", "");
  plain.write("data/notes.db", filler(4096) + kKey);
  plain.write("data/notes.db-wal", filler_with(4096, 100));
  plain.write("app.log.1.gz", gzipped(kValue));
  plain.write("logs/app.log", kValue);
  plain.write(kValue + ".db", "a name is no content");

  evidence::LaneRecord record;
  add_class_sight("keyed", file_classes(run_that_left(keyed)), run_that_left(plain), record);
  REQUIRE(record.tables.size() == 1);
  CHECK(record.tables[0].rows() == Cells{{".db", std::int64_t{1}, "0 of 1"},
                                         {".db-wal", std::int64_t{1}, "1 of 1"},
                                         {".gz", std::int64_t{1}, "1 of 1"},
                                         {".log", std::int64_t{1}, "1 of 1"},
                                         {"app.log.N", std::int64_t{1}, "0 of 1"}});
  REQUIRE(record.limits.size() == 1);
  CHECK(record.limits[0].what.find("files named .db, app.log.N, so nothing shows") !=
        std::string::npos);
}

TEST_CASE("of many classes the limit names the first, and how many more there are") {
  const test::TemporaryFolder keyed, plain;
  for (char letter = 'a'; letter <= 'o'; ++letter) keyed.write(std::string(1, letter), "x");
  plain.write("elsewhere", kValue);
  evidence::LaneRecord record;
  add_class_sight("keyed", file_classes(run_that_left(keyed)), run_that_left(plain), record);
  CHECK(record.tables.at(0).rows().size() == 15);
  CHECK(record.limits.at(0).what.find("named a, b, c, d, e, f, g, h, i, j, k, l and 3 more, so") !=
        std::string::npos);
}

TEST_CASE("classes that all had a canary are no limit") {
  const test::TemporaryFolder keyed, plain;
  keyed.write("book", filler(64));
  plain.write("book", kValue);
  evidence::LaneRecord record;
  add_class_sight("keyed", file_classes(run_that_left(keyed)), run_that_left(plain), record);
  CHECK(record.tables.size() == 1);
  CHECK(record.limits.empty());
}

TEST_CASE("a control run that refused says nothing of any class") {
  const test::TemporaryFolder keyed;
  keyed.write("book", filler(64));
  evidence::LaneRecord record;
  add_class_sight("keyed", file_classes(run_that_left(keyed)), StoreRun{}, record);
  CHECK(record.tables.empty());
  CHECK(record.limits.empty());
}
