#include "subject/launch/given.hpp"

#include "support/catch.hpp"

using namespace telltale::subject;

namespace {

Specification notes() {
  Specification specification;
  specification.command = {"notes", "serve"};
  specification.env = {{"LISTEN", "1"}, {"MODE", "a"}};
  specification.secrets = {{"KEY", "${key}"}};
  specification.files = {{"conf", "old"}, {"other", "kept"}};
  return specification;
}

}  // namespace

TEST_CASE("without a difference a launch is given what the file says") {
  const auto given = given_to(notes(), nullptr);
  CHECK(given.command == Argv{"notes", "serve"});
  CHECK(given.env == Pairs{{"LISTEN", "1"}, {"MODE", "a"}, {"KEY", "${key}"}});
  CHECK(given.secrets == Pairs{{"KEY", "${key}"}});
}

TEST_CASE("a difference replaces and adds") {
  Difference difference;
  difference.command = {"notes", "plain"};
  difference.env = {{"MODE", "b"}, {"NEW", "1"}};
  difference.secrets = {{"KEY", "other"}, {"TOKEN", "t"}};
  difference.files = {{"conf", "new"}, {"more", "x"}};
  const auto given = given_to(notes(), &difference);
  CHECK(given.command == Argv{"notes", "plain"});
  CHECK(given.env ==
        Pairs{{"LISTEN", "1"}, {"MODE", "b"}, {"KEY", "other"}, {"NEW", "1"}, {"TOKEN", "t"}});
  CHECK(given.secrets == Pairs{{"KEY", "other"}, {"TOKEN", "t"}});
  CHECK(given.files == Pairs{{"conf", "new"}, {"other", "kept"}, {"more", "x"}});
}

TEST_CASE("a difference may replace a secret by a plain value") {
  Difference difference;
  difference.env = {{"KEY", ""}};
  CHECK(given_to(notes(), &difference).env == Pairs{{"LISTEN", "1"}, {"MODE", "a"}, {"KEY", ""}});
}
