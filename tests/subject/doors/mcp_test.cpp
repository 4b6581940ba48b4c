#include "subject/doors/mcp_server.hpp"
#include "subject/doors/steps.hpp"
#include "support/contains.hpp"
#include "support/plain_sockets.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::kLong;
using test::McpServer;
using test::ScriptedServer;
using Methods = std::vector<std::string>;

namespace {

struct Asking {
  test::PlainSockets enclosure;
  ScriptedServer server;
  Step step;
  std::unique_ptr<Door> door;

  explicit Asking(McpServer& mcp, const std::string& method = "tools/list",
                  nlohmann::json params = {})
      : Asking(mcp.script(), method, std::move(params)) {}
  explicit Asking(ScriptedServer::Script script, const std::string& method = "tools/list",
                  nlohmann::json params = {})
      : server(std::move(script)) {
    McpCall call;
    call.url = server.url("/mcp");
    call.headers = {{"Authorization", "Bearer ${token}"}};
    call.call = method;
    if (!params.is_null()) call.params = test::shared_json(std::move(params));
    step = test::step_of(call);
    door = open_door(step, {enclosure, {}, {}, {}}).value();
    prepare("one");
  }
  void prepare(const std::string& token) {
    Variables variables;
    variables.set("token", token);
    REQUIRE(door->prepare(variables));
  }
  Answer call() {
    auto answer = door->call(kLong);
    if (!answer) FAIL(answer.error().what);
    return *answer;
  }
  std::string unmet() {
    const auto answer = call();
    const auto met = meets(step, step.expect, answer);
    return met ? "met" : met.error().what;
  }
};

}  // namespace

TEST_CASE("MCP, legacy: initialize once, then the session", "[threads]") {
  McpServer mcp;
  mcp.events = GENERATE(false, true);
  Asking asking(mcp);
  CHECK(asking.call().body == R"({"tools":[]})");
  CHECK(asking.unmet() == "met");
  CHECK(mcp.methods() == Methods{"server/discover", "initialize", "notifications/initialized",
                                 "tools/list", "tools/list"});
  CHECK(test::contains(mcp.last(), "MCP-Protocol-Version: 2025-06-18\r\n"));  // as the server chose
  CHECK(test::contains(mcp.last(), "Mcp-Session-Id: session-1\r\n"));
  CHECK_FALSE(test::contains(mcp.last(), "Mcp-Method"));
  CHECK_FALSE(test::contains(mcp.last(), "_meta"));
  CHECK(asking.server.connections() == 1);

  asking.prepare("two");  // the session stays
  (void)asking.call();
  CHECK(test::contains(mcp.last(), "Authorization: Bearer two\r\n"));
  CHECK(test::contains(mcp.last(), "Mcp-Session-Id: session-1\r\n"));
}

TEST_CASE("MCP, legacy: a server without sessions", "[threads]") {
  McpServer mcp;
  mcp.sessions = false;
  Asking asking(mcp);
  CHECK(asking.unmet() == "met");
  CHECK_FALSE(test::contains(mcp.last(), "Mcp-Session-Id"));
}

TEST_CASE("MCP, legacy: a forgotten session is begun anew, once", "[threads]") {
  McpServer mcp;
  mcp.forget_after = 1;
  Asking asking(mcp);
  CHECK(asking.unmet() == "met");
  CHECK(asking.unmet() == "met");
  CHECK(test::contains(mcp.last(), "Mcp-Session-Id: session-2\r\n"));
}

TEST_CASE("MCP, modern: no handshake, and headers that mirror the body", "[threads]") {
  McpServer mcp;
  mcp.modern = true;
  mcp.events = GENERATE(false, true);
  Asking asking(mcp, "tools/call",
                {{"name", "notes_search"}, {"arguments", {{"text", "${token}"}}}});
  CHECK(asking.unmet() == "met");
  CHECK(asking.unmet() == "met");
  CHECK(mcp.methods() == Methods{"server/discover", "tools/call", "tools/call"});
  CHECK(test::contains(mcp.last(), "MCP-Protocol-Version: 2026-07-28\r\n"));
  CHECK(test::contains(mcp.last(), "Mcp-Method: tools/call\r\nMcp-Name: notes_search\r\n"));
  CHECK(test::contains(mcp.last(), R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")"));
  CHECK(test::contains(mcp.last(), R"("text":"one")"));
}

TEST_CASE("MCP: a stream is left when the response has come", "[threads]") {
  McpServer mcp;
  mcp.modern = mcp.events = mcp.stream_goes_on = true;
  Asking asking(mcp);
  CHECK(asking.unmet() == "met");
  CHECK(asking.unmet() == "met");
}

TEST_CASE("MCP: what is no result", "[threads]") {
  McpServer mcp;
  mcp.modern = true;
  SECTION("a tool that failed") {
    mcp.result = {{"isError", true}, {"content", {{{"type", "text"}, {"text", "disk full"}}}}};
    Asking asking(mcp);
    CHECK(
        test::contains(asking.unmet(), "expected a result, but got \"the tool reports an error\""));
    CHECK(test::contains(asking.unmet(), "disk full"));
  }
  SECTION("a question back") {
    mcp.result = {{"resultType", "input_required"}};
    Asking asking(mcp);
    CHECK(test::contains(asking.unmet(), "asks for input"));
  }
}

TEST_CASE("MCP: an error is quoted", "[threads]") {
  Asking asking([](test::Connection& connection) {
    while (true) {
      const auto raw = connection.request();
      if (raw.empty()) return;
      const auto message = nlohmann::json::parse(raw.substr(raw.find("\r\n\r\n") + 4));
      const auto id = message["id"].dump();
      connection.send(message["method"] == "server/discover"
                          ? test::ok(R"({"jsonrpc":"2.0","id":)" + id +
                                     R"(,"result":{"supportedVersions":["2026-07-28"]}})")
                          : test::ok(R"({"jsonrpc":"2.0","id":)" + id +
                                     R"(,"error":{"code":-32602,"message":"no such tool"}})"));
    }
  });
  CHECK(
      test::contains(asking.unmet(), "expected a result, but got \"error -32602: no such tool\""));
}

TEST_CASE("MCP: a server that is none", "[threads]") {
  Asking asking([](test::Connection& connection) {
    while (!connection.request().empty())
      connection.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 5\r\n\r\nlogin");
  });
  const auto answer = asking.door->call(kLong);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().fault == Fault::subject);
  CHECK(answer.error().what == "no JSON-RPC answer to initialize (status 401): \"login\"");
}

TEST_CASE("MCP: an answer to another request is none", "[threads]") {
  Asking asking([](test::Connection& connection) {
    while (!connection.request().empty())
      connection.send(test::ok(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
  });
  const auto answer = asking.door->call(kLong);
  REQUIRE_FALSE(answer);
  CHECK(test::contains(answer.error().what, "no JSON-RPC answer to initialize (status 200)"));
}

TEST_CASE("MCP: a server that is silent before initialize", "[threads]") {
  McpServer mcp;
  Asking asking([&](test::Connection& connection) {
    if (connection.number() == 1) return connection.wait_for_close();
    mcp.script()(connection);
  });
  const auto answer = asking.door->call(Milliseconds{400});
  REQUIRE(answer);
  CHECK(mcp.methods().front() == "initialize");
}
