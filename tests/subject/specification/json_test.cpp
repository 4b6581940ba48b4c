#include "subject/specification/json.hpp"

#include <nlohmann/json.hpp>

#include "subject/specification/yaml.hpp"
#include "support/catch.hpp"

using namespace telltale::subject;

namespace {

std::string json_text(const std::string& yaml) {
  Mistakes mistakes;
  const Scope scope({"data"});
  const auto tree = parse_yaml(yaml).value();
  const auto document = json_of(View(*tree, "json", scope, mistakes));
  if (!mistakes.none()) return mistakes.first("f").what;
  return document->dump();
}

}  // namespace

TEST_CASE("unquoted values have the types of YAML's core schema") {
  CHECK(json_text("[null, ~, Null, NULL]") == "[null,null,null,null]");
  CHECK(json_text("[true, True, TRUE, false, False, FALSE]") ==
        "[true,true,true,false,false,false]");
  CHECK(json_text("[0, -7, +12, 0o17, 0xfF]") == "[0,-7,12,15,255]");
  CHECK(json_text("[1.5, -.5, 5., 1e3, 2E-1]") == "[1.5,-0.5,5.0,1000.0,0.2]");
  CHECK(json_text("[9223372036854775807, 18446744073709551615]") ==
        "[9223372036854775807,18446744073709551615]");
}

TEST_CASE("everything else is a string, and so is all that is quoted") {
  CHECK(json_text("[\"1\", 'true', \"null\", \"\"]") == R"(["1","true","null",""])");
  CHECK(json_text("[yes, no, on, off, y]") == R"(["yes","no","on","off","y"])");
  CHECK(json_text("[1_000, 0x, 0o8, 1.2.3, -, ., e5, 1e, 2027-06-30, 12:30]") ==
        R"(["1_000","0x","0o8","1.2.3","-",".","e5","1e","2027-06-30","12:30"])");
  CHECK(json_text("a: |\n  5\n") == R"({"a":"5\n"})");
  CHECK(json_text("{1: x, true: y}") == R"({"1":"x","true":"y"})");
}

TEST_CASE("what JSON cannot hold is a mistake, and so is an unknown variable") {
  CHECK(json_text("[1, .inf]") == "f:1:5: json[1] is a number that JSON cannot hold: .inf");
  CHECK(json_text("-.INF") == "f:1:1: json is a number that JSON cannot hold: -.INF");
  CHECK(json_text(".nan") == "f:1:1: json is a number that JSON cannot hold: .nan");
  CHECK(json_text("a: 99999999999999999999") ==
        "f:1:4: json.a is a number that JSON cannot hold: 99999999999999999999");
  CHECK(json_text("1e999").find("cannot hold") != std::string::npos);
  CHECK(json_text("{a: [\"${data}\"]}") == R"({"a":["${data}"]})");
  CHECK(json_text("{a: [\"${dat}\"]}") == "f:1:6: undefined variable ${dat}; did you mean 'data'?");
}
