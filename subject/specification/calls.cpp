#include "subject/specification/calls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "subject/specification/json.hpp"

namespace telltale::subject {

namespace {

std::shared_ptr<const nlohmann::json> read_json(const Section& section, std::string_view key) {
  const auto value = section.at(key);
  if (!value) return nullptr;
  auto document = json_of(*value);
  return document ? std::make_shared<const nlohmann::json>(std::move(*document)) : nullptr;
}

void read_path(const Section& http, std::string& url) {
  const auto value = http.at("url");
  const auto text = value ? value->filled() : std::nullopt;
  if (!text) return;
  if (text->front() != '/' && text->rfind("${", 0) != 0)
    value->mistake(fmt::format("{} is no path: '{}'", value->path(), *text),
                   "over a unix socket write the path alone: /v1/notes");
  url = *text;
}

HttpCall read_http(const View& view, bool over_unix) {
  const Section section(view, {"http"});
  HttpCall call;
  read_method(section, call.method);
  if (over_unix)
    read_path(section, call.url);
  else
    section.take("url", &View::url, call.url);
  section.take("headers", &View::pairs, call.headers);
  section.take("body", &View::text, call.body);
  call.json = read_json(section, "json");
  if (section.has("json") && section.has("body")) (void)section.one_of({"json", "body"});
  return call;
}

McpCall read_mcp(const View& view) {
  const Section section(view, {"mcp"});
  McpCall call;
  (void)section.one_of({"url", "command"});
  section.take("url", &View::url, call.url);
  section.take("command", &View::argv, call.command);
  section.take("headers", &View::pairs, call.headers);
  section.take("call", &View::filled, call.call);
  if (const auto params = section.at("params"); params && !params->is(Node::Kind::map))
    params->wrong_type("a map", "write { name: value }");
  call.params = read_json(section, "params");
  if (section.has("command") && section.has("headers"))
    view.mistakes().add({section.place_of("headers"), "headers are of HTTP, not of a command",
                         "remove them, or write url:"});
  return call;
}

TcpCall read_tcp(const View& view, const Names& names) {
  const Section section(view, {"tcp"});
  TcpCall call;
  if (const auto port = section.at("port")) call.port = read_port(*port, names).value_or("");
  section.take("send", &View::text, call.send);
  return call;
}

UnixCall read_unix(const View& view) {
  const Section section(view, {"unix"});
  UnixCall call;
  section.take("path", &View::filled, call.path);
  section.take("send", &View::text, call.send);
  if (const auto http = section.at("http")) call.http = read_http(*http, true);
  if (section.has("send") && section.has("http")) (void)section.one_of({"send", "http"});
  return call;
}

ExecCall read_exec(const View& view) {
  ExecCall call;
  if (view.is(Node::Kind::list)) {
    call.command = view.argv().value_or(Argv());
    return call;
  }
  const Section section(view, {"exec"});
  section.take("command", &View::argv, call.command);
  section.take("stdin", &View::text, call.stdin_text);
  return call;
}

bool speaks_http(const Call& call) {
  const auto* socket = std::get_if<UnixCall>(&call);
  return std::holds_alternative<HttpCall>(call) || std::holds_alternative<PageCall>(call) ||
         (socket != nullptr && socket->http);
}

void read_status(const Section& section, const Call& call, std::optional<int>& status) {
  const auto value = section.at("status");
  if (!value) return;
  if (speaks_http(call))
    status = value->whole(100, 599);
  else if (std::holds_alternative<ExecCall>(call))
    status = value->whole(0, 255);
  else
    value->mistake(fmt::format("{}: this kind of call has no status", value->path()),
                   "use starts_with, contains or equals");
}

}  // namespace

void read_method(const Section& http, std::string& method) {
  const auto value = http.at("method");
  const auto text = value ? value->filled() : std::nullopt;
  if (!text) return;
  const bool capitals =
      std::all_of(text->begin(), text->end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!capitals)
    value->mistake(fmt::format("{} is no method: '{}'", value->path(), *text),
                   "methods are words in capitals: GET, POST");
  method = *text;
}

Call read_call(const Section& step, const std::string& kind, const Names& names) {
  const auto value = step.at(kind);
  if (!value) return {};
  if (kind == "http") return read_http(*value, false);
  if (kind == "mcp") return read_mcp(*value);
  if (kind == "tcp") return read_tcp(*value, names);
  if (kind == "unix") return read_unix(*value);
  if (kind == "page") return PageCall{value->url().value_or("")};
  return read_exec(*value);
}

Expectation read_expectation(const View& view, const Call& call) {
  const Section section(view, {"expect"});
  Expectation expect;
  read_status(section, call, expect.status);
  section.take("starts_with", &View::text, expect.starts_with);
  section.take("contains", &View::text, expect.contains);
  section.take("equals", &View::text, expect.equals);
  if (view.is(Node::Kind::map) && view.node().entries.empty())
    view.mistake(fmt::format("{} expects nothing", view.path()),
                 "leave it out, or say status, starts_with, contains or equals");
  return expect;
}

}  // namespace telltale::subject
