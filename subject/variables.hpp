// The values behind `${...}` in one launch.
//
// Names: work, data, home, tmp, source, binary, key, port.NAME, canary.N, and what a step captured.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::subject {

class Variables {
 public:
  void set(std::string name, std::string value);
  [[nodiscard]] const std::string* find(std::string_view name) const;

  // Replaces each ${name}; `$${` stands for a literal `${`. An unknown name or a missing brace is
  // Fault::input and names the nearest known one. One pass: a value is never expanded again.
  [[nodiscard]] Result<std::string> expand(std::string_view text) const;
  [[nodiscard]] Result<std::vector<std::string>> expand(const std::vector<std::string>& texts) const;
  // Expands every string value inside, keys as they are.
  [[nodiscard]] Result<nlohmann::json> expand(const nlohmann::json& document) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

// The names that a text refers to, for checks before any launch.
[[nodiscard]] std::vector<std::string> names_in(std::string_view text);

}  // namespace telltale::subject
