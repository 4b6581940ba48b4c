// One answer of a server that is not there, and its bytes.
#pragma once

#include <cstdint>
#include <string>

#include "subject/specification.hpp"

namespace telltale::catcher {

struct PlayedAnswer {
  int status = 200;
  subject::Pairs headers;  // what frames a message (Content-Length, Connection, ...) is left out
  std::string body;
  std::string source;  // "the file", "licence.har"
};

// The whole answer, after which the connection is closed (RFC 9112). To HEAD, and with 204 and 304,
// no body.
[[nodiscard]] std::string http1_message(const PlayedAnswer& answer, const std::string& method);

// On one stream of HTTP/2 in clear text (RFC 9113), with our acknowledgement of the peer's settings
// in front. Empty for a body above kHttp2Body: its window is never asked for.
inline constexpr std::size_t kHttp2Body = 65'535;  // the initial window
[[nodiscard]] std::string http2_message(const PlayedAnswer& answer, std::uint32_t stream,
                                        const std::string& method);

}  // namespace telltale::catcher
