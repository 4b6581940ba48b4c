// Keeps the values of `secrets:` and of the key out of everything outside raw/.
//
//   Masker masker;
//   if (auto added = masker.add("NOTES_KEY", key); !added) return ...;
//   masker.mask(document);            // every string and every key
//   masker.mask("key=" + key);        // "key=[secret NOTES_KEY]"
//
// Seen: the value itself; in hexadecimal of either case; in base64 and base64url, with or without
// padding, also inside a longer encoded text; percent-encoded, wholly or partly; escaped as in JSON
// or as \xNN. Not seen: a value that was compressed, encrypted, hashed, reversed, split over
// several strings, or encoded twice.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/encoded_needle.hpp"
#include "evidence/result.hpp"

namespace telltale::evidence {

class Masker {
 public:
  // Fault::input for a value that would mask what it should not: shorter than 4 bytes, or part of a
  // word that results.json itself is made of.
  [[nodiscard]] Result<> add(std::string name, std::string value);

  [[nodiscard]] std::string mask(std::string_view text) const;
  // Strings and keys, at any depth; points in time are left as they are.
  void mask(nlohmann::json& document) const;

  [[nodiscard]] bool empty() const { return secrets_.empty(); }

 private:
  struct Secret {
    std::string name;
    EncodedNeedle value;
  };
  struct NamedSpan {
    Span span;
    const std::string* name;
  };
  [[nodiscard]] std::vector<NamedSpan> find(std::string_view text) const;
  void mask_in_place(std::string& text) const;
  void mask_keys(nlohmann::json& object) const;

  std::vector<Secret> secrets_;
};

}  // namespace telltale::evidence
