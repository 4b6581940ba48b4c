#include "evidence/exit_status.hpp"

#include <set>

#include "support/catch.hpp"

using namespace telltale::evidence;

TEST_CASE("every exit status is in the table once, by number") {
  std::set<int> numbers;
  int last = -1;
  for (const auto& row : exit_status_table()) {
    CHECK(row.number() > last);
    last = row.number();
    numbers.insert(row.number());
    CHECK_FALSE(row.name.empty());
    CHECK_FALSE(row.meaning.empty());
    CHECK(describe(row.status).name == row.name);
  }
  CHECK(numbers == std::set<int>{0, 1, 2, 3, 130, 143});
}
