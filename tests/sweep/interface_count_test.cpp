#include "sweep/interface_count.hpp"

#include "support/catch.hpp"

using namespace telltale::sweep;

TEST_CASE("operations are counted over paths, parameters and servers are not") {
  const auto count = count_openapi(R"({"openapi":"3.1.0","paths":{
      "/a":{"get":{},"post":{},"parameters":[],"summary":"x"},
      "/b":{"delete":{},"x-internal":true},
      "/c":{}}})");
  REQUIRE(count);
  CHECK(count->paths == 3);
  CHECK(count->operations == 3);
}

TEST_CASE("what is no OpenAPI document is said to be none") {
  for (const char* text : {"", "<!doctype html>", "[]", "{}", R"({"openapi":"3.0.0"})",
                           R"({"openapi":"3.0.0","paths":[]})", R"({"paths":{}})"}) {
    INFO(text);
    const auto count = count_openapi(text);
    REQUIRE_FALSE(count);
    CHECK(count.error().fault == telltale::Fault::subject);
  }
}

TEST_CASE("tools of an MCP server are counted") {
  CHECK(count_mcp_tools(R"({"tools":[{"name":"a"},{"name":"b"}]})").value() == 2);
  CHECK(count_mcp_tools(R"({"tools":[]})").value() == 0);
  CHECK_FALSE(count_mcp_tools(R"({"resources":[]})"));
  CHECK_FALSE(count_mcp_tools("not json"));
}
