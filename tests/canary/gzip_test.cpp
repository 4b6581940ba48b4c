#include "canary/unpack/gzip.hpp"

#include <algorithm>

#include "canary/unpack/descent.hpp"
#include "material.hpp"
#include "support/catch.hpp"

using namespace telltale::canary;

namespace {

constexpr std::size_t kRead = 777;

class Bytes final : public Blob {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  // One short read after the other, as the kernel may.
  [[nodiscard]] ssize_t read_at(std::uint64_t offset, char* into, std::size_t size) const override {
    if (offset >= bytes_.size()) return 0;
    return static_cast<ssize_t>(bytes_.copy(into, std::min(size, kRead), offset));
  }
  [[nodiscard]] std::string head() const { return bytes_.substr(0, 512); }

 private:
  std::string bytes_;
};

struct Opened {
  std::vector<Hit> hits;
  std::vector<Unseen> unseen;
  std::uint64_t decoded = 0;
  std::uint64_t passed_over = 0;
};

Opened open_archive(
    const std::string& bytes, const UnpackLimits& limits = {},
    const std::function<bool()>& stopped = [] { return false; }) {
  const auto matcher = make_gram_matcher({kValue});
  Descent descent(*matcher, limits, stopped, "x.gz", bytes.size());
  const Bytes blob(bytes);
  descent.open(blob, blob.head(), "");
  return {descent.hits(), descent.unseen(), descent.decoded(), descent.passed_over()};
}

// Text that does not compress to nothing.
std::string log_text(std::size_t size, unsigned seed = 1) {
  std::string text;
  while (text.size() < size) text += std::to_string((seed = seed * 1664525 + 1013904223)) + "\n";
  text.resize(size);
  return text;
}

}  // namespace

TEST_CASE("what a gzip file holds is found, and where it is") {
  auto text = log_text(1'000'000);
  text.replace(700'000, kValue.size(), kValue);
  const auto opened = open_archive(gzipped(text));
  REQUIRE(opened.hits.size() == 1);
  CHECK(opened.hits[0].where() == "x.gz > gzip");
  CHECK(opened.hits[0].offsets == std::vector<std::uint64_t>{700'000});
  CHECK(opened.decoded == 1'000'000);
  CHECK(opened.passed_over == 0);
  CHECK(opened.unseen.empty());
}

TEST_CASE("members one after another are one stream, a value across two of them included") {
  std::string packed;
  for (int i = 0; i < 300; ++i) packed += gzipped(log_text(900, static_cast<unsigned>(i)));
  packed += gzipped(log_text(100) + kValue.substr(0, 10)) + gzipped(kValue.substr(10));
  const auto opened = open_archive(packed);
  REQUIRE(opened.hits.size() == 1);
  CHECK(opened.hits[0].offsets.front() == 300 * 900 + 100);
  CHECK(opened.unseen.empty());
}

TEST_CASE("junk between members hides nothing") {
  const auto junk = filler(5000) + "\x1f\x8b\x08 no member";
  const auto opened =
      open_archive(gzipped("first") + junk + gzipped(kValue) + std::string(512, '\0'));
  REQUIRE(opened.hits.size() == 1);
  CHECK(opened.passed_over == junk.size() + 512);
  CHECK(opened.unseen.empty());
}

TEST_CASE("a member whose start lies across two reads is found") {
  for (std::size_t before = kRead - 5; before <= kRead + 1; ++before) {
    INFO(before);
    CHECK(open_archive(gzipped("first") + filler(before) + gzipped(kValue)).hits.size() == 1);
  }
}

// RFC 1952, section 2.3.1: the upper three flag bits are reserved and must be zero.
TEST_CASE("three bytes of magic before a reserved flag begin no member") {
  CHECK(Gzip().recognises("\x1f\x8b\x08\x1f"));
  for (const auto* head : {"\x1f\x8b\x08\x20", "\x1f\x8b\x08\x40", "\x1f\x8b\x08\x80"})
    CHECK_FALSE(Gzip().recognises(head));
}

TEST_CASE("what is full of starts of members that are none is given up, and told") {
  const std::string start("\x1f\x8b\x08\0\xff\xff\xff\xff\xff\xff\xff\xff", 12);
  std::string starts;
  for (int i = 0; i < 999; ++i) starts += start;
  CHECK(open_archive(gzipped("first") + starts + gzipped(kValue)).hits.size() == 1);
  const auto given_up = open_archive(gzipped("first") + starts + start + gzipped(kValue));
  CHECK(given_up.hits.empty());
  REQUIRE(given_up.unseen.size() == 1);
  CHECK(given_up.unseen[0].why.find("holds 1000 starts of gzip members that are none") !=
        std::string::npos);
}

TEST_CASE("decoding ends when the search is interrupted") {
  const auto packed = gzipped(log_text(4'000'000));
  int asked = 0;
  CHECK(open_archive(packed, {}, [&] { return ++asked > 2; }).decoded < 1'000'000);
  CHECK(open_archive(packed).decoded == 4'000'000);
}

TEST_CASE("an archive that is cut off gives what it holds, and says so") {
  auto text = log_text(400'000);
  text.replace(1000, kValue.size(), kValue);
  const auto packed = gzipped(text);
  const auto opened = open_archive(packed.substr(0, packed.size() / 2));
  CHECK(opened.hits.size() == 1);
  REQUIRE(opened.unseen.size() == 1);
  CHECK(opened.unseen[0].cause == Unseen::Cause::undecoded);
  CHECK(opened.unseen[0].why.find("is cut off") != std::string::npos);
  CHECK(opened.decoded > 100'000);
  CHECK(opened.passed_over == packed.size() / 2);
}

TEST_CASE("a whole member behind one that was cut off is found") {
  const auto half = gzipped(log_text(400'000)).substr(0, 50'000);
  const auto opened = open_archive(half + gzipped(kValue));
  CHECK(opened.hits.size() == 1);
  REQUIRE(opened.unseen.size() == 1);
  CHECK(opened.unseen[0].why.find("at byte 0") != std::string::npos);
}

TEST_CASE("damage and a wrong checksum are told") {
  auto damaged = gzipped(log_text(100'000));
  damaged[20'000] = static_cast<char>(damaged[20'000] ^ 0x55);
  CHECK(open_archive(damaged).unseen.size() == 1);
  auto wrong = gzipped(kValue);
  wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);
  const auto opened = open_archive(wrong);
  CHECK(opened.hits.size() == 1);
  REQUIRE(opened.unseen.size() == 1);
  CHECK(opened.unseen[0].why.find("is damaged") != std::string::npos);
}

TEST_CASE("a header alone is no archive that was searched") {
  CHECK(open_archive(std::string("\x1f\x8b\x08\0", 4)).unseen.size() == 1);
  CHECK(open_archive(gzipped("x").substr(0, 12)).unseen.size() == 1);
}

TEST_CASE("archives inside archives are opened, to a depth that is told") {
  const auto inner = gzipped(gzipped(gzipped(kValue)));
  const auto opened = open_archive(inner);
  REQUIRE(opened.hits.size() == 1);
  CHECK(opened.hits[0].where() == "x.gz > gzip > gzip > gzip");
  CHECK(opened.unseen.empty());

  UnpackLimits shallow;
  shallow.depth = 2;
  const auto cut = open_archive(inner, shallow);
  CHECK(cut.hits.empty());
  REQUIRE(cut.unseen.size() == 1);
  CHECK(cut.unseen[0].why == "> gzip > gzip is an archive inside 2 others, and is not opened");
}

TEST_CASE("an archive inside one that is too large to keep is told") {
  UnpackLimits small;
  small.nested = 1000;
  const auto opened = open_archive(gzipped(gzipped(log_text(50'000))), small);
  REQUIRE(opened.unseen.size() == 1);
  CHECK(opened.unseen[0].why.find("more than 1000 bytes") != std::string::npos);
  CHECK(open_archive(gzipped(log_text(50'000)), small).unseen.empty());
}

TEST_CASE("what cannot be opened inside an archive is told") {
  const auto opened = open_archive(gzipped(std::string("PK\x03\x04") + kValue));
  CHECK(opened.hits.size() == 1);
  REQUIRE(opened.unseen.size() == 1);
  CHECK(opened.unseen[0].why.find("> gzip is zip by its first bytes") == 0);
}

TEST_CASE("an archive that grows without end is stopped, and the limit told") {
  const auto bomb = gzipped(kValue + std::string(std::size_t{40} << 20, '\0'));
  UnpackLimits limits;
  limits.decoded = std::uint64_t{10} << 20;
  const auto by_size = open_archive(bomb, limits);
  CHECK(by_size.decoded < std::uint64_t{11} << 20);
  REQUIRE(by_size.unseen.size() == 1);
  CHECK(by_size.unseen[0].why.find("more than 10485760 bytes") != std::string::npos);

  limits = {};
  limits.ratio_from = std::uint64_t{1} << 20;
  const auto by_ratio = open_archive(bomb, limits);
  CHECK(by_ratio.decoded < std::uint64_t{20} << 20);
  CHECK(by_ratio.hits.size() == 1);
  REQUIRE(by_ratio.unseen.size() == 1);
  CHECK(by_ratio.unseen[0].why.find("400 bytes for each byte") != std::string::npos);
}
