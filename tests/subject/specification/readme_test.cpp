// README.md holds the keys of subject.yaml as keys.hpp lists them, between two marks.
#include <cstdlib>
#include <fstream>

#include "subject/specification/keys.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace {

const std::string kBegin = "<!-- keys of subject.yaml: begin -->\n";
const std::string kEnd = "<!-- keys of subject.yaml: end -->\n";

}  // namespace

// UPDATE_BASELINES=1 subject_test "[baseline]" writes the section anew.
TEST_CASE("README.md lists the keys of subject.yaml", "[baseline]") {
  const auto file = std::filesystem::path(TELLTALE_FIXTURES).parent_path() / "README.md";
  auto page = telltale::test::read_file(file);
  const auto begin = page.find(kBegin);
  const auto end = page.find(kEnd);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  const auto start = begin + kBegin.size();
  const auto wanted = "\n" + telltale::subject::specification_keys_markdown() + "\n";
  if (std::getenv("UPDATE_BASELINES") != nullptr) {
    page.replace(start, end - start, wanted);
    std::ofstream(file, std::ios::binary) << page;
  }
  CHECK(page.substr(start, page.find(kEnd) - start) == wanted);
}
