#include "subject/doors/http.hpp"

#include <mutex>

#include "subject/doors/steps.hpp"
#include "support/contains.hpp"
#include "support/plain_sockets.hpp"
#include "support/scripted_server.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::ask;
using test::Connection;
using test::ok;
using test::ScriptedServer;

namespace {

// Remembers the requests, answers all with the same.
struct Recorder {
  std::mutex mutex;
  std::vector<std::string> seen;
  std::string answer = ok("{}");

  ScriptedServer::Script script() {
    return [this](Connection& connection) {
      for (auto request = connection.request(); !request.empty(); request = connection.request()) {
        const std::lock_guard lock(mutex);
        seen.push_back(request);
        connection.send(answer);
      }
    };
  }
  std::string last() {
    const std::lock_guard lock(mutex);
    return seen.empty() ? "" : seen.back();
  }
};

}  // namespace

TEST_CASE("an HTTP door expands what it sends", "[threads]") {
  Recorder recorder;
  ScriptedServer server(recorder.script());
  test::PlainSockets enclosure;
  Variables variables;
  variables.set("port.api", std::to_string(server.port()));
  variables.set("token", "t\"1");
  HttpCall call;
  call.method = "POST";
  call.url = "http://127.0.0.1:${port.api}/v1/${token}";
  SECTION("a value that would break the request is refused") {
    variables.set("token", "a b");
    const auto answer = ask(test::step_of(call), enclosure, variables);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().fault == Fault::input);
  }
  SECTION("JSON stays JSON") {
    call.url = "http://127.0.0.1:${port.api}/v1/notes";
    call.headers = {{"Authorization", "Bearer ${token}"}};
    call.json = test::shared_json({{"body", "${token}"}, {"n", 1}});
    REQUIRE(ask(test::step_of(call), enclosure, variables));
    const auto request = recorder.last();
    CHECK(request.starts_with("POST /v1/notes HTTP/1.1\r\n"));
    CHECK(test::contains(request, "Authorization: Bearer t\"1\r\n"));
    CHECK(test::contains(request, "Content-Type: application/json\r\n"));
    CHECK(test::contains(request, "\r\n\r\n{\"body\":\"t\\\"1\",\"n\":1}"));
  }
  SECTION("a body is sent as it is") {
    call.url = "http://127.0.0.1:${port.api}/";
    call.body = "a=${token}";
    REQUIRE(ask(test::step_of(call), enclosure, variables));
    CHECK(test::contains(recorder.last(), "\r\n\r\na=t\"1"));
    CHECK_FALSE(test::contains(recorder.last(), "Content-Type"));
  }
  SECTION("an unknown variable is the file's mistake") {
    call.url = "http://127.0.0.1:${port.apu}/";
    const auto answer = ask(test::step_of(call), enclosure, variables);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().fault == Fault::input);
  }
}

TEST_CASE("cookies of one door are sent by the next", "[threads]") {
  Recorder recorder;
  recorder.answer = ok("{}", "Set-Cookie: sid=abc; Path=/admin; Secure\r\nSet-Cookie: b=2\r\n");
  ScriptedServer server(recorder.script());
  test::PlainSockets enclosure;
  Variables variables;
  HttpCall call;
  call.url = server.url("/");
  const auto step = test::step_of(call);
  const auto answer = ask(step, enclosure, variables);
  REQUIRE(answer);
  CHECK_FALSE(test::contains(recorder.last(), "Cookie:"));
  REQUIRE(capture(step, *answer, variables));

  REQUIRE(ask(step, enclosure, variables));
  CHECK(test::contains(recorder.last(), "Cookie: b=2; sid=abc\r\n"));

  Answer over;
  over.cookies = {"sid=; Path=/", "b=2; Max-Age=0"};
  REQUIRE(capture(step, over, variables));
  REQUIRE(ask(step, enclosure, variables));
  CHECK_FALSE(test::contains(recorder.last(), "Cookie:"));

  variables.set("cookie.sid", "x");
  call.headers = {{"Cookie", "own=1"}};
  REQUIRE(ask(test::step_of(call), enclosure, variables));
  CHECK(test::contains(recorder.last(), "Cookie: own=1\r\n"));
  CHECK_FALSE(test::contains(recorder.last(), "sid"));
}

TEST_CASE("a redirect is not followed", "[threads]") {
  Recorder recorder;
  recorder.answer = "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n";
  ScriptedServer server(recorder.script());
  test::PlainSockets enclosure;
  HttpCall call;
  call.url = server.url("/");
  const auto step = test::step_of(call);
  const auto answer = ask(step, enclosure, {});
  REQUIRE(answer);
  const auto met = meets(step, step.expect, *answer);
  REQUIRE_FALSE(met);
  CHECK(met.error().what == "expected status 2xx, but got status 302, \"redirects to /login\"");
}

TEST_CASE("HTTP over a unix socket asks for a path", "[threads]") {
  test::TemporaryFolder folder;
  Recorder recorder;
  ScriptedServer server(folder / "s.sock", recorder.script());
  test::PlainSockets enclosure;
  Variables variables;
  variables.set("work", folder.path().string());
  UnixCall call;
  call.path = "${work}/s.sock";
  call.http = HttpCall{};
  call.http->url = "/v1/notes";
  const auto answer = ask(test::step_of(call), enclosure, variables);
  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK(recorder.last().starts_with("GET /v1/notes HTTP/1.1\r\nHost: localhost\r\n"));
}
