#include "subject/variables.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::subject;

namespace {

Variables sample() {
  Variables variables;
  variables.set("data", "/srv/d");
  variables.set("port.api", "4711");
  variables.set("sly", "${data}");
  return variables;
}

std::string expanded(std::string_view text) {
  const auto result = sample().expand(text);
  return result ? *result : "error: " + result.error().what;
}

}  // namespace

TEST_CASE("variables are replaced, once") {
  CHECK(expanded("") == "");
  CHECK(expanded("plain") == "plain");
  CHECK(expanded("${data}") == "/srv/d");
  CHECK(expanded("http://127.0.0.1:${port.api}/x?${data}") == "http://127.0.0.1:4711/x?/srv/d");
  CHECK(expanded("${sly}") == "${data}");
  CHECK(expanded("${data}${data}") == "/srv/d/srv/d");
}

TEST_CASE("dollars that open no brace are literal, and $${ is an escape") {
  CHECK(expanded("cost $5 $") == "cost $5 $");
  CHECK(expanded("$$") == "$$");
  CHECK(expanded("$data}") == "$data}");
  CHECK(expanded("$${data}") == "${data}");
  CHECK(expanded("$${${data}}") == "${/srv/d}");
}

TEST_CASE("an undefined variable names the nearest") {
  const auto result = sample().expand("${port.apo}");
  REQUIRE_FALSE(result);
  CHECK(result.error().fault == Fault::input);
  CHECK(result.error().what == "undefined variable ${port.apo}; did you mean 'port.api'?");
  CHECK(result.error().fix == "known here: data, port.api, sly; write $${ for a literal ${");
}

TEST_CASE("a missing brace and an empty name are mistakes") {
  CHECK(expanded("x${data") == "error: no closing brace after '${data'");
  CHECK(expanded("${}") == "error: no name between the braces of ${}");
  CHECK(expanded("${X:-y}") == "error: undefined variable ${X:-y}");
}

TEST_CASE("lists and documents are expanded string by string") {
  const auto variables = sample();
  const auto list = variables.expand(std::vector<std::string>{"a", "${data}/b"});
  REQUIRE(list);
  CHECK(*list == std::vector<std::string>{"a", "/srv/d/b"});
  CHECK_FALSE(variables.expand(std::vector<std::string>{"${nope}"}));

  const auto document = nlohmann::json::parse(
      R"({"${data}": [1, true, null, 2.5, {"deep": "${port.api}"}], "text": "\"${data}\""})");
  const auto result = variables.expand(document);
  REQUIRE(result);
  CHECK(result->dump() == R"({"${data}":[1,true,null,2.5,{"deep":"4711"}],"text":"\"/srv/d\""})");
  CHECK_FALSE(variables.expand(nlohmann::json::parse(R"([{"a": ["${nope}"]}])")));
  CHECK(variables.expand(nlohmann::json("${data}")).value() == "/srv/d");
}

TEST_CASE("the names in a text are listed") {
  CHECK(names_in("${a} $${b} ${c.d}") == std::vector<std::string>{"a", "c.d"});
  CHECK(names_in("${a} ${b").empty());
}
