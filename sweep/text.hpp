// Small helpers for foreign text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace telltale::sweep {

// "a\tb" by '\t' gives two; "" gives one empty.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);

[[nodiscard]] std::string_view trim(std::string_view text);

// Printable ASCII and tabs only: what may be shown on a terminal and can be part of a name.
[[nodiscard]] bool is_printable(std::string_view text);

// The first line of foreign text, its first `most` bytes, made visible: safe to print in a
// sentence. A cut is marked with "...".
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t most = 80);

}  // namespace telltale::sweep
