#include "catcher/world/id_mapper.hpp"

#include "support/catch.hpp"

using telltale::catcher::subordinate_ids;

TEST_CASE("the ranges of a user are read, by name and by number") {
  const auto ranges = subordinate_ids("a:1:5\nme:100000:65536\n1000:300000:10\n", "me", 1000);
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].first == 100'000);
  CHECK(ranges[0].count == 65'536);
  CHECK(ranges[1].first == 300'000);
  CHECK(subordinate_ids("root:1:5\n", "me", 1000).empty());
}

TEST_CASE("lines that are no range are passed over") {
  for (const auto* text :
       {"", "me", "me:", "me:1", "me:1:", "me:x:5", "me:1:0", "me:1:-5", ":1:5", "me:1:5x\n\n#\n"})
    CHECK(subordinate_ids(text, "me", 1000).empty());
}
