// Catch2 2.13 and 3 name their text matchers differently.
#pragma once

#include <iostream>
#include <string>
#include <string_view>

namespace telltale::test {

[[nodiscard]] inline bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// The same for a CHECK: prints the text when it does not.
[[nodiscard]] inline bool says(const std::string& text, std::string_view part) {
  const bool found = holds(text, part);
  if (!found) std::cerr << "this does not say \"" << part << "\": " << text << '\n';
  return found;
}

}  // namespace telltale::test
