// Sentences about a program that did not do as it should.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace telltale::subject {

inline constexpr std::size_t kQuotedLines = 12;

// The last line may lack its line break.
[[nodiscard]] std::string_view last_lines(std::string_view text, std::size_t lines);

// "it last printed:" and the lines, indented and made visible; "it printed nothing". Of a text that
// is masked already; a very long line is cut.
[[nodiscard]] std::string last_printed(std::string_view lines);

}  // namespace telltale::subject
