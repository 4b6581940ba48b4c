#include "canary/stream.hpp"

#include <algorithm>

#include "material.hpp"
#include "support/catch.hpp"

using namespace telltale::canary;

namespace {
std::vector<std::pair<std::uint64_t, std::size_t>> feed(const Matcher& matcher,
                                                        std::string_view bytes, std::size_t piece) {
  Stream stream(matcher, 1000);
  std::vector<StreamMatch> matches;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    stream.feed(bytes.substr(at, piece), matches);
  std::vector<std::pair<std::uint64_t, std::size_t>> found;
  for (const auto& match : matches) found.emplace_back(match.offset, match.literal);
  std::sort(found.begin(), found.end());
  return found;
}
}  // namespace

TEST_CASE("a stream finds each occurrence once, however it is cut") {
  const auto matcher = make_gram_matcher({kValue, kValue.substr(4, 10), "zzzzzzzz"});
  auto bytes = filler(700);
  constexpr std::size_t at_places[] = {0, 24, 300, 676};
  for (const auto at : at_places) bytes.replace(at, kValue.size(), kValue);
  bytes.replace(500, 12, "zzzzzzzzzzzz");  // five that overlap
  const auto whole = feed(*matcher, bytes, bytes.size());
  CHECK(whole.size() == 2 * 4 + 5);
  CHECK(whole.front() == std::pair<std::uint64_t, std::size_t>(1000, 0));
  for (std::size_t piece = 1; piece < bytes.size(); ++piece) {
    INFO("pieces of " << piece);
    REQUIRE(feed(*matcher, bytes, piece) == whole);
  }
}

TEST_CASE("an empty piece changes nothing") {
  const auto matcher = make_gram_matcher({kValue});
  Stream stream(*matcher);
  std::vector<StreamMatch> found;
  stream.feed(std::string_view(kValue).substr(0, 9), found);
  stream.feed("", found);
  stream.feed(std::string_view(kValue).substr(9), found);
  REQUIRE(found.size() == 1);
  CHECK(stream.offset() == kValue.size());
}
