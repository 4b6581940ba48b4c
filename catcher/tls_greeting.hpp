// What a TLS client says first: the ClientHello of the OpenSSL that is linked (RFC 8446 section
// 4.1.2), with a server name (RFC 6066 section 3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace telltale::catcher {

// Empty: OpenSSL would not.
[[nodiscard]] std::vector<std::uint8_t> tls_greeting(const std::string& server_name);

}  // namespace telltale::catcher
