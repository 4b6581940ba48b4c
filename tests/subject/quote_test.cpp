#include "subject/quote.hpp"

#include "support/catch.hpp"

using telltale::subject::quote;

TEST_CASE("a stranger's text is made visible and shortened") {
  CHECK(quote("") == "\"\"");
  CHECK(quote("a\r\n\x1b[31m") == "\"a\\r\\n\\x1b[31m\"");
  CHECK(quote("abcdef", 4) == "\"abcd\" and 2 bytes more");
  CHECK(quote("abc\xc3\xa9", 4) == "\"abc\" and 2 bytes more");  // not within a character
  CHECK(quote("\xff\xff", 1) == "\"\\xff\" and 1 bytes more");
}
