// Text of a subject, made safe to store and to show. A subject is hostile until shown otherwise: it
// must not be able to forge a line of a report or to send an escape sequence to a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::evidence {

// Each byte that is not part of valid UTF-8 (RFC 3629) becomes \xNN, four visible characters.
[[nodiscard]] std::string valid_utf8(std::string_view bytes);

// One line of visible text: valid UTF-8 in which control characters (C0, DEL, C1), line and
// paragraph separators, bidirectional marks, zero-width and other format characters are written as
// \n, \t, \xNN or \u{NNNN}. A backslash stays one backslash, so this cannot be undone.
[[nodiscard]] std::string visible(std::string_view bytes);

// True for the characters that visible() writes out.
[[nodiscard]] bool is_hidden(char32_t character);

// Terminal columns by wcwidth's rules for what matters here: wide (East Asian, emoji) 2, combining
// 0, everything else 1. Takes valid UTF-8.
[[nodiscard]] std::size_t columns(std::string_view text);

// Lines of at most `width` columns, broken at spaces; a longer word is cut. The first line starts
// with `first`, the others with `rest`. Takes visible text.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width,
                                            std::string_view first, std::string_view rest);

// The character at `text[at]` and its length in bytes; length 0 when the bytes are not valid.
struct Decoded {
  char32_t character = 0;
  std::size_t length = 0;
};
[[nodiscard]] Decoded decode_utf8(std::string_view text, std::size_t at);

}  // namespace telltale::evidence
