#include "subject/doors/mcp_server.hpp"

#include "support/contains.hpp"

namespace telltale::test {

namespace {

using nlohmann::json;

std::string status(const std::string& line, const json& body) {
  const auto text = body.dump();
  return "HTTP/1.1 " + line +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(text.size()) +
         "\r\n\r\n" + text;
}

json error(const json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

json success(const json& id, const json& result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", result}};
}

constexpr const char* kNoContent = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";

}  // namespace

std::string McpServer::wrapped(const json& response, const std::string& headers) const {
  if (!events) return ok(response.dump(), "Content-Type: application/json\r\n" + headers);
  const json progress = {
      {"jsonrpc", "2.0"}, {"method", "notifications/progress"}, {"params", json::object()}};
  const auto text = ": hello\r\n\r\nevent: message\ndata: " + progress.dump() +
                    "\n\nevent: message\ndata: " + response.dump() + "\n\n";
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n" + headers +
         (stream_goes_on ? "\r\n" + text
                         : "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
}

std::string McpServer::answer_legacy(const Asked& asked) {
  const auto& message = asked.message;
  const std::string method = message["method"];
  if (method == "initialize") {
    ++session_;
    served_ = 0;
    return wrapped(success(message["id"], {{"protocolVersion", "2025-06-18"},
                                           {"capabilities", json::object()},
                                           {"serverInfo", {{"name", "x"}, {"version", "1"}}}}),
                   sessions ? "Mcp-Session-Id: " + session() + "\r\n" : "");
  }
  if (sessions && !test::contains(asked.raw, "Mcp-Session-Id: "))
    return status("400 Bad Request", error(nullptr, -32600, "initialize first"));
  if (sessions && !test::contains(asked.raw, "Mcp-Session-Id: " + session() + "\r\n"))
    return status("404 Not Found", error(message.value("id", json()), -32600, "no such session"));
  if (!message.contains("id")) return kNoContent;
  if (method == "server/discover")
    return wrapped(error(message["id"], -32601, "no such method"), "");
  if (forget_after > 0 && ++served_ > forget_after)
    return status("404 Not Found", error(message["id"], -32600, "no such session"));
  return wrapped(success(message["id"], result), "");
}

std::string McpServer::answer_modern(const Asked& asked) {
  const auto& message = asked.message;
  const std::string method = message["method"];
  if (method == "initialize")
    return status("400 Bad Request", error(message["id"], -32601, "2026-07-28 has no initialize"));
  if (!test::contains(asked.raw, "MCP-Protocol-Version: 2026-07-28\r\n") ||
      !test::contains(asked.raw, "Mcp-Method: " + method + "\r\n"))
    return status("400 Bad Request", error(message["id"], -32020, "Header mismatch"));
  if (method == "server/discover")
    return wrapped(success(message["id"], {{"supportedVersions", {"2026-07-28"}}}), "");
  return wrapped(success(message["id"], result), "");
}

std::string McpServer::answer(const Asked& asked) {
  return modern ? answer_modern(asked) : answer_legacy(asked);
}

ScriptedServer::Script McpServer::script() {
  return [this](Connection& connection) {
    for (auto raw = connection.request(); !raw.empty(); raw = connection.request()) {
      const Asked asked{raw, json::parse(raw.substr(raw.find("\r\n\r\n") + 4))};
      std::unique_lock lock(mutex_);
      asked_.push_back(asked);
      const auto text = answer(asked);
      lock.unlock();
      connection.send(text);
      if (stream_goes_on) return connection.wait_for_close();
    }
  };
}

std::vector<std::string> McpServer::methods() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const auto& asked : asked_) all.push_back(asked.message["method"]);
  return all;
}

std::string McpServer::last() {
  const std::lock_guard lock(mutex_);
  return asked_.empty() ? "" : asked_.back().raw;
}

}  // namespace telltale::test
