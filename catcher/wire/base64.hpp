// RFC 4648: section 4, and section 5 (base64url).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace telltale::catcher::wire {

inline constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Up to the first character that is none of `letters`: padding ends it.
[[nodiscard]] std::vector<std::uint8_t> from_base64(std::string_view text,
                                                    std::string_view letters);

}  // namespace telltale::catcher::wire
