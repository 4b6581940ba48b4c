#include "subject/launch/words.hpp"

#include "support/catch.hpp"

using namespace telltale::subject;

TEST_CASE("the last lines of a text are taken whole") {
  CHECK(last_lines("a\nb\nc", 1) == "c");
  CHECK(last_lines("a\nb\nc\n", 1) == "c\n");
  CHECK(last_lines("a\nb\nc\n", 2) == "b\nc\n");
  CHECK(last_lines("a\nb\nc\n", 9) == "a\nb\nc\n");
  CHECK(last_lines("\n\na", 2) == "\na");
  CHECK(last_lines("a", 0).empty());
  CHECK(last_lines("", 3).empty());
}

TEST_CASE("what was printed last is indented and made visible") {
  CHECK(last_printed("one\ntwo\x1b[0m\n") == "it last printed:\n    one\n    two\\x1b[0m");
  CHECK(last_printed("") == "it printed nothing");
  CHECK(last_printed(" \n\t\n") == "it printed nothing");
  CHECK(last_printed(std::string(500, 'x')) ==
        "it last printed:\n    " + std::string(400, 'x') + " and 100 bytes more");
}
