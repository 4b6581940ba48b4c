// The messages of the Model Context Protocol: JSON-RPC 2.0 in the protocol's two eras.
//
// legacy, up to 2025-11-25: a client must `initialize` and send `notifications/initialized` first;
//   over HTTP the server may give a session id, which every later request carries.
// modern, from 2026-07-28: no handshake and no session. Every request says its version and what the
//   client is in `params._meta`, and over HTTP the headers MCP-Protocol-Version, Mcp-Method and,
//   for three methods, Mcp-Name mirror the body. Servers offer `server/discover`.
//
// Sources: modelcontextprotocol.io/specification, 2025-11-25 (lifecycle, transports) and 2026-07-28
// (versioning, transports/streamable-http, transports/stdio). Not done: Mcp-Param-* headers, which
// a tool's schema may ask for; write them under `headers:`.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"
#include "subject/specification.hpp"

namespace telltale::subject::mcp {

enum class Era { legacy, modern };

inline constexpr std::string_view kModernVersion = "2026-07-28";
inline constexpr std::string_view kLegacyVersion =
    "2025-11-25";  // offered; the server may name an older one

struct Session {
  Era era = Era::modern;
  std::string version{kModernVersion};
  std::string id;  // legacy, HTTP: Mcp-Session-Id; empty when the server gave none
};

// A request's id always has ten digits, so a rendered request can be sent again under a new id by
// writing over them.
inline constexpr std::uint64_t kFirstId = 1'000'000'000;

struct Message {
  std::string text;                  // the JSON, on one line
  std::optional<std::size_t> id_at;  // where the digits of kFirstId stand; none in a notification
  Pairs headers;                     // of HTTP
};

[[nodiscard]] Message discover();
[[nodiscard]] Message initialize();
[[nodiscard]] Message initialized(const Session& session);
// `params` may be null; it must be an object otherwise (Fault::input).
[[nodiscard]] Result<Message> request(const std::string& method, const nlohmann::json& params,
                                      const Session& session);

// What a transport brings back for one message.
struct Reply {
  int status = 0;    // of HTTP; 0 over stdio
  std::string text;  // a JSON text, or server-sent events
  bool events = false;
  std::string session;  // Mcp-Session-Id
  std::vector<std::string> cookies;
  bool cut = false;
  std::chrono::nanoseconds took{};
};

// The response with this id, of JSON (one or a batch) or of events; a null when there is none.
[[nodiscard]] nlohmann::json response_of(const Reply& reply, std::uint64_t id);

// What the answer to discover() says. legacy: fall back to initialize().
[[nodiscard]] Era era_of(const nlohmann::json& response);

// A header value as 2026-07-28 wants it: what is not plain ASCII is =?base64?...?=.
[[nodiscard]] std::string header_value(std::string_view text);

}  // namespace telltale::subject::mcp
