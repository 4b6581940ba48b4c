// Finds one value in a text, in the encodings that programs write values in. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace telltale::evidence {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;  // one past the last byte
};

// Every place where `value` stands in `text`: raw, hexadecimal, base64 and base64url at each of the
// three alignments, percent-encoded, JSON-escaped or \xNN-escaped. Unordered; spans may overlap.
[[nodiscard]] std::vector<Span> encoded_places(std::string_view text, std::string_view value);

}  // namespace telltale::evidence
