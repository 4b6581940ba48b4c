// The full example, broken byte by byte: the reader must never crash, and what it refuses has a
// place and a fix.
#include <random>
#include <regex>

#include "subject/specification.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::subject;
using telltale::test::TemporaryFolder;

namespace {

constexpr int kMutations = 2000;

std::string mutated(std::string text, std::mt19937& random) {
  static const std::string kSpecial = "\n\t :-[]{}\"'&*!|>%@`#,?~$\\0\xC3";
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (auto changes = 1 + below(3); changes > 0; --changes) {
    const auto at = below(text.size());
    const auto length = 1 + below(std::min<std::size_t>(40, text.size() - at));
    switch (below(5)) {
      case 0:
        text[at] = kSpecial[below(kSpecial.size())];
        break;
      case 1:
        text[at] = static_cast<char>(below(256));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      default:
        text.insert(at, 1, kSpecial[below(kSpecial.size())]);
    }
    if (text.empty()) return text;
  }
  return text;
}

}  // namespace

TEST_CASE("a broken subject.yaml is refused with a place, whatever broke") {
  const TemporaryFolder folder;
  const auto good = telltale::test::read_file(std::filesystem::path(TELLTALE_FIXTURES) /
                                              "subject.yaml" / "full.yaml");
  const std::regex with_place(R"(.*subject\.yaml:[0-9]+:[0-9]+: .+)");
  std::mt19937 random(20270630);
  int refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    const auto file = folder.write("subject.yaml", mutated(good, random));
    const auto result = load_specification(file);
    if (result) continue;
    ++refused;
    if (std::regex_match(result.error().what, with_place) && !result.error().fix.empty()) continue;
    INFO("mutation " << i << ": " << telltale::test::read_file(file));
    FAIL_CHECK(result.error().text());
  }
  CHECK(refused > kMutations / 2);
}
