#include "canary/matcher.hpp"

#include <random>

#include "material.hpp"
#include "support/catch.hpp"

using namespace telltale::canary;

namespace {

// Every occurrence, the slow way.
std::vector<Match> naive(std::string_view buffer, const std::vector<std::string>& literals) {
  std::vector<Match> found;
  for (std::size_t at = 0; at < buffer.size(); ++at)
    for (std::size_t i = 0; i < literals.size(); ++i)
      if (buffer.substr(at, literals[i].size()) == literals[i]) found.push_back({at, i});
  return found;
}

std::vector<Match> fast(std::string_view buffer, const std::vector<std::string>& literals) {
  std::vector<Match> found;
  make_gram_matcher(literals)->find(buffer, found);
  return found;
}

std::string text_of(const std::vector<Match>& matches) {
  std::string text;
  for (const auto& match : matches)
    text += std::to_string(match.offset) + ":" + std::to_string(match.literal) + " ";
  return text;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t end) { return engine_() % end; }
  // Few letters, so that near misses, overlaps and repeats abound.
  std::string text(std::size_t size, std::size_t letters) {
    std::string made(size, '\0');
    for (auto& byte : made) byte = static_cast<char>(below(letters) * 85);
    return made;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace

TEST_CASE("the matcher finds what a naive search finds") {
  Random random(20261130);
  for (int round = 0; round < 3000; ++round) {
    const auto letters = 1 + random.below(3);
    auto buffer = random.text(random.below(400), letters);
    std::vector<std::string> literals;
    for (std::size_t i = 0; i <= random.below(6); ++i) {
      const auto size = 4 + random.below(28);
      literals.push_back(buffer.size() > size && random.below(2) == 0
                             ? buffer.substr(random.below(buffer.size() - size), size)
                             : random.text(size, letters));
    }
    INFO("round " << round);
    REQUIRE(text_of(fast(buffer, literals)) == text_of(naive(buffer, literals)));
  }
}

TEST_CASE("the matcher finds a literal at every offset of every short buffer") {
  for (std::size_t length = 4; length <= 40; ++length) {
    const auto literal = filler(300).substr(100, length);
    for (std::size_t size = length; size < length + 100; ++size)
      for (std::size_t at = 0; at + length <= size; at += 1 + at % 3) {
        const auto buffer = std::string(size, 'x').replace(at, length, literal);
        REQUIRE(text_of(fast(buffer, {literal})) == std::to_string(at) + ":0 ");
      }
  }
}

TEST_CASE("many literals, and the same one twice") {
  Random random(7);
  std::vector<std::string> literals;
  for (int i = 0; i < 1500; ++i) literals.push_back(random.text(24, 256));
  literals.push_back(literals.front());
  auto buffer = filler(1 << 20);
  for (std::size_t i = 0; i < literals.size(); ++i) buffer.replace(i * 600, 24, literals[i]);
  const auto found = fast(buffer, literals);
  CHECK(found.size() == literals.size() + 2);
  CHECK(found[0] == Match{0, 0});
  CHECK(found[1] == Match{0, 1500});
}

TEST_CASE("what is no literal is refused, and nothing is found in nothing") {
  CHECK_THROWS_AS(make_gram_matcher({}), std::invalid_argument);
  CHECK_THROWS_AS(make_gram_matcher({"long enough", "abc"}), std::invalid_argument);
  CHECK(fast("", {"abcd"}).empty());
  CHECK(fast("abc", {"abcd"}).empty());
}
