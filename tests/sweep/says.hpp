// Catch2 2.13 and 3 name their text matchers differently.
#pragma once

#include <iostream>
#include <string>
#include <string_view>

namespace telltale::test {

// The text holds the part; prints the text when it does not.
[[nodiscard]] inline bool says(const std::string& text, std::string_view part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) std::cerr << "this does not say \"" << part << "\": " << text << '\n';
  return found;
}

}  // namespace telltale::test
