#include "canary/encodings.hpp"

#include "canary/mint.hpp"
#include "support/catch.hpp"

using namespace telltale::canary;
using namespace std::string_literals;

namespace {
// RFC 4648, with padding: what a program writes.
std::string base64(std::string_view bytes) {
  auto text = base64_core(std::string(bytes) + "\0\0"s, 0, Alphabet::base64);
  text.resize((bytes.size() * 8 + 5) / 6);
  while (text.size() % 4 != 0) text += '=';
  return text;
}
}  // namespace

TEST_CASE("hex, both cases, and back") {
  const auto bytes = "\x00\x7f\x80\xff"s;
  CHECK(to_hex(bytes) == "007f80ff");
  CHECK(to_upper_hex(bytes) == "007F80FF");
  CHECK(from_hex("007f80FF") == bytes);
  for (const auto* bad : {"", "0", "0g", "00 11", "0x00"}) CHECK_FALSE(from_hex(bad));
}

TEST_CASE("base64 follows the vectors of RFC 4648 section 10") {
  const std::pair<const char*, const char*> vectors[] = {
      {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    CHECK(base64(bytes) == text);
    CHECK(from_base64(text) == bytes);
  }
  CHECK(base64_core("\xff\xff\xff\xfb\xff\xbf"s, 0, Alphabet::base64) == "////+/+/");
  CHECK(base64_core("\xff\xff\xff\xfb\xff\xbf"s, 0, Alphabet::base64url) == "____-_-_");
  for (const auto* bad : {"", "=", "A", "AAAAA", "AA A", "Zm9v\n"}) CHECK_FALSE(from_base64(bad));
}

TEST_CASE("the base64 of any text around it holds the core of one offset") {
  for (int round = 0; round < 200; ++round) {
    const auto before = random_bytes(static_cast<std::size_t>(round % 7));
    const auto after = random_bytes(static_cast<std::size_t>(round % 5));
    const auto value = random_bytes(8 + static_cast<std::size_t>(round % 9));
    const auto core =
        base64_core(value, static_cast<unsigned>(before.size() % 3), Alphabet::base64);
    CHECK(base64(before + value + after).find(core) != std::string::npos);
    CHECK(core.size() * 6 + 10 >= value.size() * 8);  // nothing that is sure was left out
  }
}
