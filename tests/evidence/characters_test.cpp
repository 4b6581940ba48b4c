#include "evidence/characters.hpp"

#include "support/catch.hpp"

using namespace telltale::evidence;

namespace {
using Lines = std::vector<std::string>;
}

TEST_CASE("bytes that are not UTF-8 are written out") {
  CHECK(valid_utf8("plain \u00e9 \u4e2d \U0001F600") == "plain \u00e9 \u4e2d \U0001F600");
  CHECK(valid_utf8("\xff") == "\\xff");
  CHECK(valid_utf8("a\xc3") == "a\\xc3");                           // cut off
  CHECK(valid_utf8("\xc0\xaf") == "\\xc0\\xaf");                    // overlong
  CHECK(valid_utf8("\xe0\x80\x80") == "\\xe0\\x80\\x80");           // overlong
  CHECK(valid_utf8("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // surrogate
  CHECK(valid_utf8("\xf5\x80\x80\x80") == "\\xf5\\x80\\x80\\x80");  // above U+10FFFF
  CHECK(valid_utf8("\xe4\xb8Z") == "\\xe4\\xb8Z");
}

TEST_CASE("a subject's text cannot forge a line or reach the terminal") {
  CHECK(visible("a\nCLEAN: b") == "a\\nCLEAN: b");
  CHECK(visible("\r\x1b[2K\x1b]0;title\x07") == "\\r\\x1b[2K\\x1b]0;title\\x07");
  CHECK(visible("\u009b31m") == "\\u{009b}31m");  // CSI as one C1 character
  CHECK(visible("\x7f") == "\\x7f");
  CHECK(visible("abc\u202efed") == "abc\\u{202e}fed");
  CHECK(visible("a\u2028b\u200bc\ufeff") == "a\\u{2028}b\\u{200b}c\\u{feff}");
  CHECK(visible(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(visible("tab\there") == "tab\\there");
  CHECK(visible("caf\u00e9 \u4e2d\u6587") == "caf\u00e9 \u4e2d\u6587");
}

TEST_CASE("columns are counted as a terminal does") {
  CHECK(columns("") == 0);
  CHECK(columns("caf\u00e9") == 4);
  CHECK(columns("cafe\u0301") == 4);  // combining
  CHECK(columns("\u4e2d\u6587") == 4);
  CHECK(columns("\U0001F600") == 2);
}

TEST_CASE("text is wrapped at spaces, and cut where there is none") {
  CHECK(wrap("", 10, "- ", "  ") == Lines{"- "});
  CHECK(wrap("one two three", 9, "- ", "  ") == Lines{"- one two", "  three"});
  CHECK(wrap("one  two", 20, "", "") == Lines{"one two"});
  CHECK(wrap("abcdefghij", 6, "- ", "  ") == Lines{"- abcd", "  efgh", "  ij"});
  CHECK(wrap("\u4e2d\u6587\u4e2d\u6587", 5, "", "") == Lines{"\u4e2d\u6587", "\u4e2d\u6587"});
  CHECK(wrap("ab \u4e2d", 1, "", "") == Lines{"a", "b", "\u4e2d"});  // wider than the page
  for (const auto& line : wrap(std::string(500, 'x') + " y", 80, "    ", "      "))
    CHECK(columns(line) <= 80);
}
