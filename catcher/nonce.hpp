// Small things that controls share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace telltale::catcher {

// "telltale-" and 20 random letters and digits: a host label (RFC 1123) that nothing else uses.
[[nodiscard]] std::string make_nonce();

// A documentation address (RFC 5737, RFC 3849) and a port that nobody else can have chosen.
[[nodiscard]] std::string nonce_address(bool six);
[[nodiscard]] std::uint16_t nonce_port();

[[nodiscard]] std::string first_line(std::string_view text);

}  // namespace telltale::catcher
