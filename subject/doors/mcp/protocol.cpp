#include "subject/doors/mcp/protocol.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "subject/doors/mcp/events.hpp"
#include "subject/quote.hpp"

namespace telltale::subject::mcp {

namespace {

using nlohmann::json;

constexpr std::string_view kMeta = "io.modelcontextprotocol/";
// Errors that only a modern server gives: HeaderMismatch, MissingRequiredClientCapability.
constexpr int kHeaderMismatch = -32020;
constexpr int kMissingCapability = -32021;
constexpr int kUnsupportedVersion = -32022;

json client_info() {
  return {{"name", "telltale"}, {"version", "1"}};
}

std::string dumped(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

Message rendered(json document, bool has_id) {
  Message message;
  document["jsonrpc"] = "2.0";
  if (has_id) document["id"] = kFirstId;
  message.text = dumped(document);
  // nlohmann sorts the keys, so the first "id" belongs to the message itself.
  if (has_id) message.id_at = message.text.find("\"id\":") + 5;
  return message;
}

json with_meta(json params) {
  if (params.is_null()) params = json::object();
  auto& meta = params["_meta"];
  if (!meta.is_object()) meta = json::object();
  const std::string prefix(kMeta);
  meta[prefix + "protocolVersion"] = kModernVersion;
  meta[prefix + "clientInfo"] = client_info();
  meta[prefix + "clientCapabilities"] = json::object();
  return params;
}

// Mcp-Name mirrors params.name, or params.uri of resources/read.
std::optional<std::string> name_of(const std::string& method, const json& params) {
  const bool named = method == "tools/call" || method == "prompts/get";
  if (!named && method != "resources/read") return std::nullopt;
  const auto found = params.find(named ? "name" : "uri");
  if (found == params.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

Message modern(const std::string& method, const json& params) {
  const json full = with_meta(params);
  Message message = rendered({{"method", method}, {"params", full}}, true);
  message.headers = {{"MCP-Protocol-Version", std::string(kModernVersion)}, {"Mcp-Method", method}};
  if (const auto name = name_of(method, full))
    message.headers.emplace_back("Mcp-Name", header_value(*name));
  return message;
}

Pairs legacy_headers(const Session& session) {
  Pairs headers{{"MCP-Protocol-Version", session.version}};
  if (!session.id.empty()) headers.emplace_back("Mcp-Session-Id", session.id);
  return headers;
}

bool has_id(const json& document, std::uint64_t id) {
  if (!document.is_object() || document.contains("method")) return false;
  const auto found = document.find("id");
  return found != document.end() && found->is_number_unsigned() && *found == id;
}

json in_document(const std::string& text, std::uint64_t id) {
  const json document = json::parse(text, nullptr, false);
  if (has_id(document, id)) return document;
  if (document.is_array())  // 2025-03-26 allowed batches
    for (const auto& one : document)
      if (has_id(one, id)) return one;
  // An error that was found before the id was read has none.
  if (document.is_object() && document.contains("error") &&
      (!document.contains("id") || document["id"].is_null()))
    return document;
  return nullptr;
}

bool lists_modern(const json& versions) {
  return versions.is_array() &&
         std::find(versions.begin(), versions.end(), json(kModernVersion)) != versions.end();
}

}  // namespace

Message discover() {
  return modern("server/discover", nullptr);
}

Message initialize() {
  return rendered({{"method", "initialize"},
                   {"params",
                    {{"protocolVersion", kLegacyVersion},
                     {"capabilities", json::object()},
                     {"clientInfo", client_info()}}}},
                  true);
}

Message initialized(const Session& session) {
  Message message = rendered({{"method", "notifications/initialized"}}, false);
  message.headers = legacy_headers(session);
  return message;
}

Result<Message> request(const std::string& method, const json& params, const Session& session) {
  if (!params.is_null() && !params.is_object())
    return fail(Fault::input,
                "the params of MCP " + method + " are no map: " + quote(dumped(params)),
                "write `params: { name: ..., arguments: {...} }`");
  if (session.era == Era::modern) return modern(method, params);
  json document{{"method", method}};
  if (!params.is_null()) document["params"] = params;
  Message message = rendered(std::move(document), true);
  message.headers = legacy_headers(session);
  return message;
}

json response_of(const Reply& reply, std::uint64_t id) {
  if (!reply.events) return in_document(reply.text, id);
  for (const auto& data : event_data(reply.text)) {
    auto found = in_document(data, id);
    if (!found.is_null()) return found;
  }
  return nullptr;
}

Era era_of(const json& response) {
  const auto lists_modern_at = [&response](const char* pointer) {
    const json::json_pointer place(pointer);
    return response.contains(place) && lists_modern(response.at(place));
  };
  if (lists_modern_at("/result/supportedVersions")) return Era::modern;
  const json::json_pointer place("/error/code");
  const json code = response.contains(place) ? response.at(place) : json();
  if (code == kUnsupportedVersion)
    return lists_modern_at("/error/data/supported") ? Era::modern : Era::legacy;
  return code == kHeaderMismatch || code == kMissingCapability ? Era::modern : Era::legacy;
}

std::string header_value(std::string_view text) {
  constexpr std::string_view kOpen = "=?base64?";
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F; });
  const bool padded = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  const bool looks_encoded = text.starts_with(kOpen) && text.ends_with("?=");
  if (plain && !padded && !looks_encoded) return std::string(text);
  std::string encoded(4 * ((text.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  encoded.resize(static_cast<std::size_t>(size));
  return std::string(kOpen) + encoded + "?=";
}

}  // namespace telltale::subject::mcp
