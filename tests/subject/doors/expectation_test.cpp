#include "subject/doors/expectation.hpp"

#include "subject/doors/steps.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::step_of;

namespace {

Expectation text(std::optional<std::string> starts_with, std::optional<std::string> contains,
                 std::optional<std::string> equals) {
  return {{}, std::move(starts_with), std::move(contains), std::move(equals)};
}

Answer answer(int status, std::string body, std::string error = {}) {
  Answer made;
  made.status = status;
  made.body = std::move(body);
  made.error = std::move(error);
  return made;
}

std::string verdict(const Call& call, const Expectation& expect, const Answer& came) {
  const auto met = meets(step_of(call), expect, came);
  if (met) return "met";
  CHECK(met.error().fault == Fault::subject);
  return met.error().what;
}

Expectation status(int wanted) {
  Expectation expect;
  expect.status = wanted;
  return expect;
}

}  // namespace

TEST_CASE("what holds when nothing is said") {
  CHECK(verdict(HttpCall{}, {}, answer(204, "")) == "met");
  CHECK(verdict(HttpCall{}, {}, answer(500, "oops\n")) ==
        "expected status 2xx, but got status 500, \"oops\\n\"");
  CHECK(verdict(ExecCall{}, {}, answer(0, "")) == "met");
  CHECK(verdict(ExecCall{}, {}, answer(3, "out", "err")) ==
        "expected exit status 0, but got exit status 3, \"err\", \"out\"");
  CHECK(verdict(McpCall{}, {}, answer(0, "{}")) == "met");
  CHECK(verdict(McpCall{}, {}, answer(0, "{\"code\":-32601}", "error -32601: none")) ==
        "expected a result, but got \"error -32601: none\", \"{\"code\":-32601}\"");
  CHECK(verdict(TcpCall{}, {}, answer(0, "x")) == "met");
  CHECK(verdict(TcpCall{}, {}, answer(0, "")) == "expected an answer, but got \"\"");
  CHECK(verdict(UnixCall{}, {}, answer(0, "")) == "expected an answer, but got \"\"");
  UnixCall http;
  http.http = HttpCall{};
  CHECK(verdict(http, {}, answer(404, "")) == "expected status 2xx, but got status 404");
}

TEST_CASE("all that is said must hold") {
  CHECK(verdict(HttpCall{}, status(404), answer(404, "")) == "met");
  CHECK(verdict(HttpCall{}, status(200), answer(201, "")) ==
        "expected status 200, but got status 201");
  CHECK(verdict(ExecCall{}, status(1), answer(1, "")) == "met");
  CHECK(verdict(HttpCall{}, text("ab", "bc", "abc"), answer(200, "abc")) == "met");
  CHECK(verdict(HttpCall{}, text("b", {}, {}), answer(200, "abc")) ==
        "expected a start of \"b\", but got status 200, \"abc\"");
  CHECK(verdict(HttpCall{}, text({}, "x", {}), answer(200, "abc")) ==
        "expected \"x\" in the answer, but got status 200, \"abc\"");
  CHECK(verdict(TcpCall{}, text({}, {}, "ab"), answer(0, "abc")) ==
        "expected exactly \"ab\", but got \"abc\"");
}

TEST_CASE("an error that repeats the expected text is no success") {
  const auto wanted = text({}, "canary", {});
  CHECK(verdict(HttpCall{}, wanted, answer(404, "no canary here")) != "met");
  CHECK(verdict(ExecCall{}, wanted, answer(1, "canary")) != "met");
  CHECK(verdict(McpCall{}, wanted, answer(0, "canary", "error 1: canary")) != "met");
  Expectation both = wanted;
  both.status = 404;
  CHECK(verdict(HttpCall{}, both, answer(404, "no canary here")) == "met");
}

TEST_CASE("a long answer is quoted in part, and what was cut is said") {
  auto long_one = answer(500, std::string(1000, 'x'));
  CHECK(verdict(HttpCall{}, {}, long_one).size() < 300);
  long_one.cut = true;
  CHECK(verdict(HttpCall{}, {}, long_one).find("cut after 16777216 bytes") != std::string::npos);
}

TEST_CASE("a text that is still coming") {
  CHECK(text_meets({}, "x"));
  CHECK_FALSE(text_meets({}, ""));
  const auto hopeless = [](const Expectation& expect, std::string_view so_far) {
    return GrowingText(expect).cannot_meet(so_far);
  };
  CHECK(hopeless(text("+PONG", {}, {}), "-ERR"));
  CHECK_FALSE(hopeless(text("+PONG", {}, {}), "+PO"));
  CHECK_FALSE(hopeless(text("+PONG", {}, {}), "+PONG\r\n"));
  CHECK_FALSE(hopeless(text("+PONG", {}, {}), ""));
  CHECK(hopeless(text({}, {}, "ab"), "abc"));
  CHECK_FALSE(hopeless(text({}, "x", {}), "abc"));

  const auto wanted = text({}, "cde", {});
  GrowingText growing(wanted);
  CHECK_FALSE(growing.meets("abc"));
  CHECK_FALSE(growing.meets("abcd"));  // the text may lie across two pieces
  CHECK(growing.meets("abcde"));
  CHECK(growing.meets("abcdef"));
}

TEST_CASE("expectations are expanded") {
  Variables variables;
  variables.set("canary.1", "abc");
  const auto expanded = expand(text({}, "<${canary.1}>", {}), variables);
  REQUIRE(expanded);
  CHECK(*expanded->contains == "<abc>");
  CHECK_FALSE(expand(text({}, {}, "${canary.2}"), variables));
}

TEST_CASE("values are captured from an answer") {
  auto step = step_of(HttpCall{});
  step.capture = {{"token", "/access_token"}, {"id", "/items/0/id"}, {"all", ""}};
  Variables variables;
  REQUIRE(capture(step, answer(200, R"({"access_token":"t","items":[{"id":7}]})"), variables));
  CHECK(*variables.find("token") == "t");
  CHECK(*variables.find("id") == "7");
  CHECK(*variables.find("all") == R"({"access_token":"t","items":[{"id":7}]})");
}

TEST_CASE("a value that cannot be captured") {
  auto step = step_of(HttpCall{});
  step.capture = {{"token", "/access_token"}};
  Variables variables;
  const auto missing = capture(step, answer(200, R"({"error":"no"})"), variables);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().fault == Fault::subject);
  CHECK(missing.error().what.find("nothing at /access_token") != std::string::npos);
  const auto html = capture(step, answer(200, "<html>"), variables);
  REQUIRE_FALSE(html);
  CHECK(html.error().what.find("no JSON") != std::string::npos);
  step.capture = {{"token", "access_token"}};
  CHECK(capture(step, answer(200, "{}"), variables).error().fault == Fault::input);
}
