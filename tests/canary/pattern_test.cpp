#include "canary/pattern.hpp"

#include <algorithm>

#include "canary/encodings.hpp"
#include "canary/mint.hpp"
#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::canary;
using namespace std::string_literals;

namespace {
std::vector<std::string> forms(const std::vector<Pattern>& patterns) {
  std::vector<std::string> all;
  for (const auto& pattern : patterns) all.push_back(pattern.form);
  return all;
}
const Pattern& form(const std::vector<Pattern>& patterns, const std::string& name) {
  return *std::find_if(patterns.begin(), patterns.end(),
                       [&](const auto& pattern) { return pattern.form == name; });
}
}  // namespace

TEST_CASE("a canary is searched for as it is") {
  const auto patterns = canary_patterns(2, "abcdefgh").value();
  REQUIRE(patterns.size() == 1);
  CHECK(patterns[0].bytes == "abcdefgh");
  CHECK(patterns[0].label() == "canary 2, raw");
}

TEST_CASE("a canary that is looked for in what is sent has every simple encoding") {
  const auto patterns = encoded_canary_patterns(3, "canary-0123456789").value();
  CHECK(form(patterns, "raw").bytes == "canary-0123456789");
  CHECK(form(patterns, "hex").bytes == to_hex("canary-0123456789"));
  CHECK(form(patterns, "base64 offset 1").bytes ==
        base64_core("canary-0123456789", 1, Alphabet::base64));
  for (const auto& pattern : patterns) CHECK(pattern.value_name() == "canary 3");
  CHECK_FALSE(encoded_canary_patterns(1, "short"));
}

TEST_CASE("a key in hex is searched for as bytes and as text") {
  const auto bytes = random_bytes(32);
  const auto patterns = key_patterns(to_hex(bytes)).value();
  CHECK(form(patterns, "raw").bytes == bytes);
  CHECK(form(patterns, "hex").bytes == to_hex(bytes));
  CHECK(form(patterns, "hex upper case").bytes == to_upper_hex(bytes));
  CHECK(form(patterns, "text in base64 offset 1").bytes ==
        base64_core(to_hex(bytes), 1, Alphabet::base64));
  const auto all = forms(patterns);
  CHECK(std::count(all.begin(), all.end(), "text in raw") == 0);  // that is "hex"
  for (const auto& pattern : patterns) {
    CHECK(pattern.bytes.size() >= kShortestValue);
    CHECK(pattern.value_name() == "key");
  }
}

TEST_CASE("a key in base64 is searched for decoded, a passphrase only as it is") {
  const auto bytes = "\x01\x02\xff\xfe\xfd\xfc\xfb\xfa\x10\x20\x30\x40"s;
  const auto decoded = key_patterns("AQL__v38-_oQIDBA").value();
  CHECK(form(decoded, "raw").bytes == bytes);
  CHECK(form(decoded, "base64 offset 0").bytes == "AQL//v38+/oQIDBA");
  CHECK(form(decoded, "base64url offset 0").bytes == "AQL__v38-_oQIDBA");

  const auto plain = key_patterns("correct horse, battery").value();
  CHECK(plain[0].bytes == "correct horse, battery");
  CHECK(forms(plain) == std::vector<std::string>{"raw", "hex", "hex upper case", "base64 offset 0",
                                                 "base64 offset 1", "base64 offset 2"});
}

TEST_CASE("a word that is hex or base64 by accident is not decoded into a few bytes") {
  for (const auto* word : {"deadbeef", "password"})
    CHECK(key_patterns(word).value()[0].bytes == word);
}

TEST_CASE("a value that would be found by chance is refused") {
  for (const auto& value : {"1234567"s, ""s, "aaaaaaaaaaaa"s, std::string(32, '\0')}) {
    for (const auto& made : {canary_patterns(1, value), key_patterns(value)}) {
      REQUIRE_FALSE(made);
      CHECK(made.error().fault == Fault::input);
      CHECK_FALSE(made.error().fix.empty());
    }
  }
  const auto too_short = key_patterns("secret7").error().what;
  CHECK(too_short == "the key has 7 bytes; shorter than 8 it would be found by chance");
  CHECK(canary_patterns(1, "4111111111111111"));
}
