#include "subject/specification/scope.hpp"

#include "support/catch.hpp"

using namespace telltale::subject;

namespace {

std::string scope_mistake(const Scope& scope, const std::string& text) {
  Mistakes mistakes;
  scope.check(text, {3, 7}, mistakes);
  return mistakes.none() ? "none" : mistakes.first("f").what;
}

}  // namespace

TEST_CASE("canaries are numbered from 1, without leading zeros") {
  CHECK(canary_number("canary.1") == 1);
  CHECK(canary_number("canary.1000") == 1000);
  for (const auto* wrong : {"canary.", "canary.0", "canary.01", "canary.1001", "canary.x",
                            "canary.1x", "canary", "canary.-1", "canary.99999999999"})
    CHECK(canary_number(wrong) == 0);
}

TEST_CASE("a scope knows its names, and a wider one more") {
  const Scope scope({"data", "port.api"});
  CHECK(scope_mistake(scope, "${data}:${port.api} $${else}") == "none");
  CHECK(scope_mistake(scope, "${dta}") == "f:3:7: undefined variable ${dta}; did you mean 'data'?");
  CHECK(scope_mistake(scope, "${port.apo}") ==
        "f:3:7: ports: does not list 'apo'; did you mean 'api'?");
  CHECK(scope_mistake(scope, "${token}") == "f:3:7: undefined variable ${token}");
  CHECK(scope_mistake(scope.with({"token"}), "${token}") == "none");
  CHECK(scope_mistake(scope, "${canary.1}") ==
        "f:3:7: ${canary.1} is known only in steps of cipher:");
  CHECK(scope_mistake(scope.with_canaries(), "${canary.1}") == "none");
  CHECK(scope_mistake(Scope(), "${data}") ==
        "f:3:7: no variable is known here, and ${data} is used");
  CHECK(scope_mistake(scope, "${data") == "f:3:7: no closing brace after '${data'");
}
