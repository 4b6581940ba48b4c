#include "subject/doors/raw.hpp"

#include "subject/doors/steps.hpp"
#include "support/plain_sockets.hpp"
#include "support/scripted_server.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::ask;
using test::Connection;
using test::kLong;
using test::ScriptedServer;

namespace {

Step ping(const std::string& expected, std::string send = "PING\r\n") {
  auto step = test::step_of(TcpCall{"db", std::move(send)});
  step.expect.starts_with = expected;
  return step;
}

Variables variables_of(const ScriptedServer& server) {
  Variables variables;
  variables.set("port.db", std::to_string(server.port()));
  return variables;
}

// Calls one door three times; each must meet its expectation.
void call_thrice(const Step& step, const Variables& variables) {
  test::PlainSockets enclosure;
  auto door = open_door(step, {enclosure, {}, {}, {}});
  REQUIRE(door);
  REQUIRE((*door)->prepare(variables));
  for (int call = 0; call < 3; ++call) {
    const auto answer = (*door)->call(kLong);
    if (!answer) FAIL(answer.error().what);
    const auto met = meets(step, step.expect, *answer);
    if (!met) FAIL(met.error().what);
  }
}

}  // namespace

TEST_CASE("a raw door keeps its connection", "[threads]") {
  ScriptedServer server([](Connection& connection) {
    while (!connection.until("\r\n").empty()) connection.send("+PONG\r\n");
  });
  call_thrice(ping("+PONG"), variables_of(server));
  CHECK(server.connections() == 1);
}

TEST_CASE("a raw door opens its connection anew where the protocol wants it", "[threads]") {
  SECTION("the subject closes after each answer") {
    ScriptedServer server([](Connection& connection) {
      (void)connection.until("\r\n");
      connection.send("+PONG\r\n");
    });
    call_thrice(ping("+PONG"), variables_of(server));
    CHECK(server.connections() == 3);
  }
  SECTION("a greeting comes only once") {
    ScriptedServer server([](Connection& connection) {
      connection.send("220 ready\r\n");
      while (!connection.until("\r\n").empty()) connection.send("500 what?\r\n");
    });
    call_thrice(ping("220"), variables_of(server));
    CHECK(server.connections() == 3);
  }
  SECTION("nothing is sent") {
    ScriptedServer server([](Connection& connection) {
      connection.send("220 ready\r\n");
      connection.wait_for_close();
    });
    call_thrice(ping("220", ""), variables_of(server));
    CHECK(server.connections() == 3);
  }
}

TEST_CASE("an answer in pieces is read until it holds", "[threads]") {
  ScriptedServer server([](Connection& connection) {
    while (!connection.until("\r\n").empty()) {
      connection.send("+PO");
      connection.send("NG");
      connection.send("\r\n");
    }
  });
  call_thrice(ping("+PONG\r\n"), variables_of(server));
}

TEST_CASE("a raw answer that does not hold is quoted", "[threads]") {
  test::PlainSockets enclosure;
  SECTION("it says something else: no need to wait") {
    ScriptedServer server([](Connection& connection) {
      (void)connection.until("\r\n");
      connection.send("-NOAUTH\r\n");
      connection.wait_for_close();
    });
    const auto step = ping("+PONG");
    const auto answer = ask(step, enclosure, variables_of(server));
    REQUIRE(answer);
    CHECK(meets(step, step.expect, *answer).error().what ==
          "expected a start of \"+PONG\", but got \"-NOAUTH\\r\\n\"");
  }
  SECTION("the end does not come") {
    ScriptedServer server([](Connection& connection) {
      (void)connection.until("\r\n");
      connection.send("+PO");
      connection.wait_for_close();
    });
    const auto step = ping("+PONG");
    const auto answer = ask(step, enclosure, variables_of(server), Milliseconds{60});
    REQUIRE(answer);
    CHECK(meets(step, step.expect, *answer).error().what ==
          "expected a start of \"+PONG\", but got \"no more came within 60 ms\", \"+PO\"");
  }
  SECTION("nothing comes") {
    ScriptedServer server([](Connection& connection) { connection.wait_for_close(); });
    const auto answer = ask(ping("+PONG"), enclosure, variables_of(server), Milliseconds{60});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().fault == Fault::subject);
    CHECK(answer.error().what.find("ran out of time before it answered") != std::string::npos);
  }
  SECTION("it closes") {
    ScriptedServer server([](Connection& connection) { (void)connection.until("\r\n"); });
    const auto answer = ask(ping("+PONG"), enclosure, variables_of(server));
    REQUIRE_FALSE(answer);
    CHECK(answer.error().what.find("closed the connection before it answered") !=
          std::string::npos);
  }
}

TEST_CASE("a flood without the expected text ends at the limit of an answer", "[threads]") {
  ScriptedServer server([](Connection& connection) {
    const std::string piece(1024 * 1024, 'x');
    for (int count = 0; count < 20; ++count) connection.send(piece);
    connection.wait_for_close();
  });
  test::PlainSockets enclosure;
  auto step = ping("");
  step.expect = {};
  step.expect.contains = "never";
  const auto answer = ask(step, enclosure, variables_of(server));
  REQUIRE(answer);
  CHECK(answer->body.size() == kAnswerLimit);
  CHECK(answer->cut);
}

TEST_CASE("raw over a unix socket", "[threads]") {
  test::TemporaryFolder folder;
  ScriptedServer server(folder / "s.sock", [](Connection& connection) {
    while (!connection.until("\n").empty()) connection.send("pong\n");
  });
  Variables variables;
  variables.set("work", folder.path().string());
  UnixCall call;
  call.path = "${work}/s.sock";
  call.send = "ping\n";
  call_thrice(test::step_of(call), variables);
  CHECK(server.connections() == 1);
}

TEST_CASE("a port is a name or a number") {
  test::PlainSockets enclosure;
  for (const char* port : {"", "none", "0", "65536", "80x", "-1"}) {
    const auto answer = ask(test::step_of(TcpCall{port, "x"}), enclosure, {});
    INFO(port);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().fault == Fault::input);
  }
}
