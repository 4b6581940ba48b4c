#include "evidence/suggest.hpp"

#include "support/catch.hpp"

using namespace telltale::evidence;

TEST_CASE("edit distance counts swaps once and ignores letter case") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("ports", "ports") == 0);
  CHECK(edit_distance("Ports", "pORTS") == 0);
  CHECK(edit_distance("prots", "ports") == 1);
  CHECK(edit_distance("port", "ports") == 1);
  CHECK(edit_distance("pouts", "ports") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("", "abc") == 3);
}

TEST_CASE("the nearest name is suggested, a distant one is not") {
  const std::vector<std::string> keys = {"ports", "ready", "stop", "starts_with"};
  CHECK(nearest("prots", keys) == "ports");
  CHECK(nearest("redy", keys) == "ready");
  CHECK(nearest("starts", keys) == "starts_with");
  CHECK_FALSE(nearest("volume", keys));
  CHECK_FALSE(nearest("", keys));
  CHECK_FALSE(nearest("x", keys));
  CHECK_FALSE(nearest(std::string(5000, 'p'), keys));
  CHECK(nearest("api2", {"health", "api"}) == "api");
  CHECK(nearest("ab", {"aa", "ac"}) == "aa");
}

TEST_CASE("a suggestion reads on from a sentence") {
  CHECK("unknown key 'prots'" + did_you_mean("prots", {"ports"}) ==
        "unknown key 'prots'; did you mean 'ports'?");
  CHECK(did_you_mean("volume", {"ports"}).empty());
}
