#include <nlohmann/json.hpp>

#include "subject/doors/mcp/events.hpp"
#include "subject/doors/mcp/protocol.hpp"
#include "support/catch.hpp"

using namespace telltale::subject::mcp;
using nlohmann::json;

TEST_CASE("header values of 2026-07-28") {
  // The examples of the specification, basic/transports/streamable-http, "Value Encoding".
  CHECK(header_value("us-west1") == "us-west1");
  CHECK(header_value("Hello, \xe4\xb8\x96\xe7\x95\x8c") == "=?base64?SGVsbG8sIOS4lueVjA==?=");
  CHECK(header_value(" padded ") == "=?base64?IHBhZGRlZCA=?=");
  CHECK(header_value("line1\nline2") == "=?base64?bGluZTEKbGluZTI=?=");
  CHECK(header_value("=?base64?literal?=") == "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
  CHECK(header_value("") == "");
}

TEST_CASE("only three methods carry Mcp-Name") {
  const auto name = [](const std::string& method, const json& params) {
    const auto message = request(method, params, Session{}).value();
    for (const auto& [key, value] : message.headers)
      if (key == "Mcp-Name") return value;
    return std::string("none");
  };
  CHECK(name("tools/call", {{"name", "a"}}) == "a");
  CHECK(name("prompts/get", {{"name", "b"}}) == "b");
  CHECK(name("resources/read", {{"uri", "file:///c"}, {"name", "x"}}) == "file:///c");
  CHECK(name("tools/list", {{"name", "d"}}) == "none");
}

TEST_CASE("a request's own _meta is kept") {
  const auto message =
      request("tools/list", {{"_meta", {{"progressToken", 5}}}}, Session{}).value();
  const auto document = json::parse(message.text);
  CHECK(document["params"]["_meta"]["progressToken"] == 5);
  CHECK(document["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28");
}

TEST_CASE("the id stands where it is said, whatever the params hold") {
  const Session legacy{Era::legacy, "2025-11-25", {}};
  for (const auto& session : {Session{}, legacy}) {
    const auto message = request("a", {{"id", 1}, {"a", "\"id\":"}}, session).value();
    REQUIRE(message.id_at);
    CHECK(message.text.substr(*message.id_at, 10) == std::to_string(kFirstId));
    CHECK(json::parse(message.text)["id"] == kFirstId);
  }
  CHECK_FALSE(initialized(legacy).id_at);
  CHECK_FALSE(request("a", json::array(), Session{}));
}

TEST_CASE("the era that an answer to server/discover shows") {
  const auto of = [](const char* text) { return era_of(json::parse(text)); };
  CHECK(of(R"({"result":{"supportedVersions":["2026-07-28","2025-11-25"]}})") == Era::modern);
  CHECK(of(R"({"error":{"code":-32020,"message":"Header mismatch"}})") == Era::modern);
  CHECK(of(R"({"error":{"code":-32022,"data":{"supported":["2026-07-28"]}}})") == Era::modern);
  // It knows the method, but speaks only what needs a handshake.
  CHECK(of(R"({"result":{"supportedVersions":["2025-11-25"]}})") == Era::legacy);
  CHECK(of(R"({"error":{"code":-32022,"data":{"supported":["2025-11-25"]}}})") == Era::legacy);
  CHECK(of(R"({"error":{"code":-32601,"message":"Method not found"}})") == Era::legacy);
  for (const char* odd :
       {"null", "[]", "{}", R"({"result":null})", R"({"result":7})",
        R"({"result":{"supportedVersions":7}})", R"({"error":7})", R"({"error":{"code":-32022}})",
        R"({"error":{"code":-32022,"data":7}})",
        R"({"error":{"code":-32022,"data":{"supported":7}}})", R"({"error":{"code":"x"}})"}) {
    INFO(odd);
    CHECK(of(odd) == Era::legacy);
  }
}

TEST_CASE("the response among what came") {
  Reply reply;
  const auto found = [&](const char* text, bool events) {
    reply.text = text;
    reply.events = events;
    return response_of(reply, 1'000'000'007).dump();
  };
  CHECK(found(R"({"id":1000000007,"result":1})", false) == R"({"id":1000000007,"result":1})");
  CHECK(found(R"([{"id":1,"result":0},{"id":1000000007,"result":1}])", false) ==
        R"({"id":1000000007,"result":1})");
  CHECK(found(R"({"id":1000000008,"result":1})", false) == "null");
  CHECK(found(R"({"id":1000000007,"method":"ping"})", false) == "null");  // a request of its own
  CHECK(found(R"({"id":null,"error":{"code":1}})", false) == R"({"error":{"code":1},"id":null})");
  CHECK(found("<html>", false) == "null");
  CHECK(found("data: x\n\ndata: {\"id\":\ndata: 1000000007,\"result\":1}\n\n", true) ==
        R"({"id":1000000007,"result":1})");
}

TEST_CASE("server-sent events") {
  using Data = std::vector<std::string>;
  CHECK(event_data("") == Data{});
  CHECK(event_data(": comment\n\nevent: message\nid: 1\nretry: 5\n\n") == Data{});
  CHECK(event_data("data: a\r\ndata:b\r\n\r\ndata: c\n\n") == Data{"a\nb", "c"});
  CHECK(event_data("data: cut") == Data{"cut"});
  CHECK(event_ended("data: a\n\n", 6));
  CHECK(event_ended("data: a\r\n\r\n", 6));
  CHECK_FALSE(event_ended("x\n\ndata: a\n", 9));
}
