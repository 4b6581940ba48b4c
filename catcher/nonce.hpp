// Small things that controls share.
#pragma once

#include <string>
#include <string_view>

namespace telltale::catcher {

// "telltale-" and 20 random letters and digits: a host label (RFC 1123) that nothing else uses.
[[nodiscard]] std::string make_nonce();

[[nodiscard]] std::string first_line(std::string_view text);

}  // namespace telltale::catcher
