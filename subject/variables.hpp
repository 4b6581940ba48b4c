// The values behind `${...}` in one launch.
//
// Names: work, data, home, tmp, source, binary, key, port.NAME, canary.N, and what a step captured.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::subject {

class Variables {
 public:
  void set(std::string name, std::string value);
  [[nodiscard]] const std::string* find(std::string_view name) const;
  // Name and value of all whose name starts with `prefix`, sorted by name.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> starting_with(
      std::string_view prefix) const;

  // Replaces each ${name}; `$${` stands for a literal `${`. An unknown name or a missing brace is
  // Fault::input and names the nearest known one. One pass: a value is never expanded again.
  [[nodiscard]] Result<std::string> expand(std::string_view text) const;
  // Else a string would convert to JSON as well as to a view.
  [[nodiscard]] Result<std::string> expand(const std::string& text) const {
    return expand(std::string_view(text));
  }
  [[nodiscard]] Result<std::string> expand(const char* text) const {
    return expand(std::string_view(text));
  }
  [[nodiscard]] Result<std::vector<std::string>> expand(
      const std::vector<std::string>& texts) const;
  // Expands every string value inside, keys as they are.
  [[nodiscard]] Result<nlohmann::json> expand(const nlohmann::json& document) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

// A text in parts: what stands there literally, and the names between `${` and `}`.
struct Piece {
  bool is_name = false;
  std::string text;
};
// Fault::input when a brace is missing or a name is empty.
[[nodiscard]] Result<std::vector<Piece>> pieces_of(std::string_view text);

// The names that a text refers to, for checks before any launch; none when it is malformed.
[[nodiscard]] std::vector<std::string> names_in(std::string_view text);

}  // namespace telltale::subject
