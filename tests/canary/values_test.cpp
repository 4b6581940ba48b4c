#include "canary/values.hpp"

#include <sstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;
using Values = std::vector<std::string>;

namespace {
const Warn ignore = [](const std::string&) {};
}

TEST_CASE("one value a line, without its line end") {
  std::istringstream in("first one\r\n\n  second \nlast");
  CHECK(read_values(in, "x", ignore) == Values{"first one", "  second ", "last"});
}

TEST_CASE("a file or standard input") {
  const test::TemporaryFolder folder;
  std::istringstream in("from stdin\n");
  CHECK(read_value_file("-", in, ignore) == Values{"from stdin"});
  CHECK(read_value_file(folder.write("values", "from file\n").string(), in, ignore) ==
        Values{"from file"});
}

TEST_CASE("what holds no value is bad input") {
  const test::TemporaryFolder folder;
  std::istringstream in("");
  const std::string files[] = {"-", folder.write("empty", "\n\r\n").string(),
                               (folder / "missing").string(), folder.path().string(),
                               folder.write("huge", std::string(17 << 20, 'x')).string()};
  for (const auto& file : files) {
    INFO(file);
    const auto read = read_value_file(file, in, ignore);
    REQUIRE_FALSE(read);
    CHECK(read.error().fault == Fault::input);
    CHECK_FALSE(read.error().fix.empty());
  }
  CHECK(read_value_file((folder / "missing").string(), in, ignore)
            .error()
            .what.find("No such file") != std::string::npos);
}

TEST_CASE("a byte order mark and a blank at the end are told of") {
  Values told;
  std::istringstream in(
      "\xEF\xBB\xBF"
      "first\nsecond \n\xEF\xBB\xBFthird\n");
  const auto read = read_values(in, "x", [&](const std::string& text) { told.push_back(text); });
  CHECK(read == Values{"first", "second ", "\xEF\xBB\xBFthird"});
  CHECK(told == Values{"x begins with a byte order mark, which was left out",
                       "value 2 of x ends in a blank, which is searched for as a part of it"});
}
