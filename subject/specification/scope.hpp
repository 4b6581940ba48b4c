// The names that ${...} may hold at one place of the file, known before any launch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subject/specification/mistakes.hpp"

namespace telltale::subject {

class Scope {
 public:
  // No names: places that are read before any launch exists.
  Scope() = default;
  explicit Scope(std::vector<std::string> names) : names_(std::move(names)) {}

  [[nodiscard]] Scope with(const std::vector<std::string>& more) const;
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool knows(std::string_view name) const;
  // ${canary.1}, ${canary.2}, ...: in the steps of the cipher lane.
  [[nodiscard]] Scope with_canaries() const;

  // Adds a mistake for each malformed or unknown reference in the text.
  void check(const std::string& text, Place place, Mistakes& mistakes) const;

 private:
  [[nodiscard]] Mistake unknown(const std::string& name, Place place) const;

  std::vector<std::string> names_;
  bool canaries_ = false;
};

// N of "canary.N", 0 when it is not such a name. N is at most kCanaryLimit.
inline constexpr int kCanaryLimit = 1000;
[[nodiscard]] int canary_number(std::string_view name);

}  // namespace telltale::subject
