// What the tests of the search are made of: values that are never found by chance, and archives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "canary/search.hpp"

namespace telltale::canary {

inline const std::string kValue = "Qm7ZrT0aBv4KpXs93LdYwE1f";

// `size` bytes that hold every byte value and nothing to be found.
[[nodiscard]] std::string filler(std::size_t size);
// `filler` with the value at `at`.
[[nodiscard]] std::string filler_with(std::size_t size, std::size_t at,
                                      std::string_view value = kValue);
// One gzip member.
[[nodiscard]] std::string gzipped(std::string_view bytes);

// A plan for one value below these roots.
[[nodiscard]] SearchPlan plan_for(std::vector<std::string> roots,
                                  const std::string& value = kValue);

// where() of every hit.
[[nodiscard]] std::vector<std::string> places(const SearchResult& result);

}  // namespace telltale::canary
