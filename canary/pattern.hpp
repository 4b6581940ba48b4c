// What is searched for: byte strings, each with the value it stands for and the form it is in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::canary {

enum class Kind {
  canary,  // written by the run; its value may be shown
  key,     // never shown; only its label is
  control  // the nonce that the search plants for itself
};

struct Pattern {
  Kind kind = Kind::canary;
  unsigned number = 0;  // from 1, of its kind; 0 of a kind that there is one of
  std::string form;     // "raw", "hex", "base64 offset 1"
  std::string bytes;

  // "canary 1", "key": the value without its form.
  [[nodiscard]] std::string value_name() const;
  // "canary 1, raw"
  [[nodiscard]] std::string label() const;
};

// Shorter values turn up by chance: 4 random bytes about once in every 4 GB.
inline constexpr std::size_t kShortestValue = 8;

// Fault::input when the value is shorter than kShortestValue or one byte repeated, which padding
// and empty pages are made of.
[[nodiscard]] Result<std::vector<Pattern>> canary_patterns(unsigned number, std::string_view value);

// The canary raw, in hex of both cases, and in base64 and base64url at the three offsets: where it
// is looked for in what a program sends. Errors as above.
[[nodiscard]] Result<std::vector<Pattern>> encoded_canary_patterns(unsigned number,
                                                                   std::string_view value);

// The key as it is given, and, when that is hex or base64, the bytes it stands for; each raw, in
// hex of both cases, and in base64 and base64url at the three offsets. Decoded bytes that would not
// be accepted as a value are left out: a word can be hex by accident. No form twice.
[[nodiscard]] Result<std::vector<Pattern>> key_patterns(std::string_view value);

}  // namespace telltale::canary
