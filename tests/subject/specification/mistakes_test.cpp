#include "subject/specification/mistakes.hpp"

#include "support/catch.hpp"

using namespace telltale::subject;

TEST_CASE("the first mistake in file order is told, and references last") {
  Mistakes mistakes;
  CHECK(mistakes.none());
  mistakes.add_reference({{1, 1}, "no such port", "list it"});
  CHECK(mistakes.first("f").what == "f:1:1: no such port");
  mistakes.add({{9, 2}, "late", "x"});
  mistakes.add({{4, 8}, "later in the line", "x"});
  mistakes.add({{4, 3}, "early", "x"});
  CHECK(mistakes.first("f").what == "f:4:3: early");
  CHECK(mistakes.first("f").fault == telltale::Fault::input);
}

TEST_CASE("a mistake is one visible line") {
  CHECK(error_at("f", {{1, 2}, "is '\x1b[2J\n'", "fix"}).what == "f:1:2: is '\\x1b[2J\\n'");
}
