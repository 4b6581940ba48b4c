// Finds one value in a text, in the encodings that programs write values in. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::evidence {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;  // one past the last byte
};

// Made once a value: ten thousand texts are looked through, most of them short and without it.
class EncodedNeedle {
 public:
  explicit EncodedNeedle(std::string value);

  // Every place where the value stands in `text`: raw, hexadecimal, base64 and base64url at each of
  // the three alignments, percent-encoded, JSON-escaped or \xNN-escaped. Unordered; spans may
  // overlap.
  [[nodiscard]] std::vector<Span> places(std::string_view text) const;

 private:
  struct Base64 {
    std::string core;    // the characters that the value alone decides
    bool before, after;  // the character there holds some of its bits too
  };
  static void find_base64(std::string_view text, const Base64& form, std::vector<Span>& spans);

  std::string value_;
  std::vector<Base64> base64_;
};

}  // namespace telltale::evidence
