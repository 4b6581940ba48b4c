#include "subject/specification/text_file.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::subject;
using telltale::test::TemporaryFolder;

namespace {

bool accepted(const std::string& bytes) {
  const TemporaryFolder folder;
  return read_text_file(folder.write("f", bytes)).has_value();
}

}  // namespace

TEST_CASE("UTF-8 text is accepted, and nothing else") {
  CHECK(accepted(""));
  CHECK(accepted("a\tb\r\n"));
  CHECK(accepted("\xC3\xA9\xE2\x98\x95\xF0\x9F\x90\xA6"));
  for (const auto* wrong : {"\xC3", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                            "\x80", "\xFF\xFE", "\x1b[0m", "\x07", "\x7f"})
    CHECK_FALSE(accepted(wrong));
}

TEST_CASE("the byte order mark goes, the limit holds") {
  const TemporaryFolder folder;
  CHECK(read_text_file(folder.write("f", "\xEF\xBB\xBFx")).value() == "x");
  CHECK(accepted(std::string(kSpecificationLimit, 'x')));
  CHECK_FALSE(accepted(std::string(kSpecificationLimit + 1, 'x')));
  CHECK(read_text_file("/dev/zero").error().what == "/dev/zero is larger than 1 MiB");
}
