#include "canary/output_watch.hpp"

#include "material.hpp"
#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::canary;

TEST_CASE("what is printed is searched across its pieces, counted, and its first place kept") {
  const auto other = std::string("another value");
  OutputWatch watch({{Kind::canary, 1, "raw", kValue}, {Kind::canary, 2, "raw", other}});
  const auto text = "0123456789" + kValue + kValue + "\n" + kValue;
  for (const char letter : text) watch.feed({&letter, 1});
  watch.feed(kValue + "x");
  CHECK(watch.bytes() == text.size() + kValue.size() + 1);
  const auto hits = watch.hits();
  REQUIRE(hits.size() == 1);
  CHECK(hits[0].pattern == 0);
  CHECK(hits[0].first == 10);
  CHECK(hits[0].count == 4);
}
