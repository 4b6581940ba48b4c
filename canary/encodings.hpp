// Encodings that a store may keep a value in. Later lanes of the search add their own here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace telltale::canary {

[[nodiscard]] std::string to_hex(std::string_view bytes);
[[nodiscard]] std::string to_upper_hex(std::string_view bytes);

// Either case; nothing when a character is no hex digit or the count is odd or 0.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view text);

enum class Alphabet { base64, base64url };  // RFC 4648 sections 4 and 5

// The characters that depend on `bytes` alone when they stand `before` bytes (0, 1 or 2) into a
// group of three: what is left of `bytes` inside the base64 of a longer text, whatever surrounds
// it.
[[nodiscard]] std::string base64_core(std::string_view bytes, unsigned before, Alphabet alphabet);

// Either alphabet, padding optional; nothing when it is not base64.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace telltale::canary
