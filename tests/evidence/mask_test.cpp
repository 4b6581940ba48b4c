#include "evidence/mask.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "evidence/results.hpp"
#include "sample_run.hpp"
#include "support/catch.hpp"
#include "support/results_schema.hpp"

using namespace telltale::evidence;
using nlohmann::json;
using telltale::Fault;

namespace {

constexpr auto kSecret = "s3cr+t/ \"key\"\xc3\xa9?";  // s3cr+t/ "key"é?

Masker masker(const std::string& value = kSecret, const std::string& name = "KEY") {
  Masker all;
  REQUIRE(all.add(name, value));
  return all;
}

std::string base64(std::string_view bytes) {  // RFC 4648, with padding, written apart on purpose
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : alphabet[bits >> (18 - 6 * j) & 63];
  }
  return text;
}

// Every word of a fixed form in the schema: keys, enums, constants.
void collect(const json& schema, std::set<std::string>& words) {
  if (schema.is_object())
    for (const auto& [key, value] : schema.items()) {
      if (key == "properties")
        for (const auto& [name, unused] : value.items()) words.insert(name);
      if (key == "enum")
        for (const auto& each : value)
          if (each.is_string()) words.insert(each);
      if (key == "const" && value.is_string()) words.insert(value);
    }
  if (schema.is_structured())
    for (const auto& each : schema) collect(each, words);
}

}  // namespace

TEST_CASE("a secret is masked in every encoding that a program would write") {
  const auto all = masker();
  for (const std::string text :
       {"s3cr+t/ \"key\"\xc3\xa9?",          // raw
        "733363722b742f20226b657922c3a93f",  // hexadecimal
        "733363722B742F20226B657922C3A93F", "s3cr%2Bt%2F%20%22key%22%C3%A9%3F",
        "s3cr%2bt/+%22key%22%c3%a9?", "s3cr+t/ \\\"key\\\"\\u00e9?",  // URL, JSON
        "\\u0073\\u0033cr+t\\/ \\\"key\\\"\xc3\xa9?", "s3cr+t/ \"key\"\\xc3\\xa9?",
        "s3cr+t/ \"key\"\\u{00e9}?"}) {
    INFO(text);
    CHECK(all.mask("a=" + text + ";") == "a=[secret KEY];");
    CHECK(all.mask(text + text) == "[secret KEY][secret KEY]");
  }
}

TEST_CASE("a secret is masked in base64, alone and inside a longer text") {
  for (const std::string value : {kSecret, "abcd", "12345", "sixsix", "\xff\xfe\xfd\xfc\xfb\xfa"}) {
    const auto all = masker(value);
    for (const std::string before : {"", "u", "u:", "user:", "user:p", "user:pa"})
      for (const std::string after : {"", "x", "xy", "xyz"}) {
        auto text = base64(before + value + after);
        INFO(text);
        auto masked = all.mask(text);
        CHECK(masked.find("[secret KEY]") != std::string::npos);
        // What is left decides no whole byte of the value.
        const auto left = masked.size() - std::string("[secret KEY]").size();
        CHECK(left <= (before.size() + after.size()) * 4 / 3 + 6);
        for (auto& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
        CHECK(all.mask(text).find("[secret KEY]") != std::string::npos);
      }
    auto whole = base64(value);
    CHECK(all.mask(whole) == "[secret KEY]");
    CHECK(all.mask("Basic " + whole + "\n") == "Basic [secret KEY]\n");
    while (whole.back() == '=') whole.pop_back();
    CHECK(all.mask(whole) == "[secret KEY]");
  }
}

TEST_CASE("text without a secret is left as it is") {
  const auto all = masker("hunter22");
  for (const std::string text : {"", "hunter2", "hunter", "%", "%zz", "\\", "\\u12", "\\u{", "\\x",
                                 "+", "\\ud83d", "\\ud83d\\u0041", "\xff\xff"})
    CHECK(all.mask(text) == text);
  CHECK(all.mask("hunter2%32x") == "[secret KEY]x");
}

TEST_CASE("secrets that overlap leave no rest") {
  Masker all;
  REQUIRE(all.add("LONG", "abcdefgh"));
  REQUIRE(all.add("SHORT", "abcd"));
  REQUIRE(all.add("TAIL", "fghijk"));
  CHECK(all.mask("x abcdefgh y") == "x [secret LONG] y");
  CHECK(all.mask("x abcdefghijk y") == "x [secret LONG] y");
  CHECK(all.mask("abcdx") == "[secret SHORT]x");
}

TEST_CASE("a value that would mask too much is refused") {
  Masker all;
  for (const auto* value : {"", "a", "abc"}) {
    const auto added = all.add("PIN", value);
    REQUIRE_FALSE(added);
    CHECK(added.error().fault == Fault::input);
    CHECK(added.error().what.find("the secret PIN has") == 0);
  }
  const auto word = all.add("PASSWORD", "proof");
  REQUIRE_FALSE(word);
  CHECK(word.error().what.find("part of \"proof\"") != std::string::npos);
  CHECK(word.error().what.find("secret PASSWORD") != std::string::npos);
  CHECK(all.empty());
}

TEST_CASE("every fixed word of results.json is refused as a secret") {
  std::ifstream in(TELLTALE_RESULTS_SCHEMA);
  std::set<std::string> words;
  collect(json::parse(in), words);
  REQUIRE(words.size() > 80);
  for (const auto& word : words) {
    INFO(word);
    CHECK_FALSE(Masker().add("X", word));
    CHECK_FALSE(Masker().add("X", word.substr(0, 4)));
  }
}

TEST_CASE("a document is masked in strings and keys, and stays valid") {
  auto run = telltale::test::mixed_run();
  run.environment.push_back({"NOTES_KEY", "correct-horse"});
  run.subject.source.path = "/srv/correct-horse/x";
  auto document = to_json(run);
  masker("correct-horse").mask(document);
  CHECK(document.dump().find("correct-horse") == std::string::npos);
  CHECK(document["subject"]["source"]["path"] == "/srv/[secret KEY]/x");
  CHECK(telltale::test::results_faults(document) == telltale::test::NoFaults{});

  json headers{{"x-correct-horse", 2}, {"x-correct%2Dhorse", 1}, {"other", {"correct-horse"}}};
  masker("correct-horse").mask(headers);
  CHECK(headers ==
        json{{"x-[secret KEY]", 1}, {"x-[secret KEY] (again)", 2}, {"other", {"[secret KEY]"}}});
}

TEST_CASE("points in time are not secrets") {
  json document{{"a", "2026-11-30T13:23:26.042Z"}, {"b", "in 2026-11"}};
  masker("2026").mask(document);
  CHECK(document == json{{"a", "2026-11-30T13:23:26.042Z"}, {"b", "in [secret KEY]-11"}});
}
