// The URL of a door: http and https, an address or localhost, no user information (RFC 3986).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "evidence/result.hpp"

namespace telltale::subject {

struct Url {
  bool tls = false;
  std::string host;        // without brackets
  std::uint16_t port = 0;  // 80 or 443 when none was written
  std::string authority;   // as the Host field wants it: "127.0.0.1:8080"
  std::string target;      // path and query; "/" when there is none
};

// Fault::input says what is wrong with it. A fragment is dropped.
[[nodiscard]] Result<Url> parse_url(std::string_view text);

}  // namespace telltale::subject
