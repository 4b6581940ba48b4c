// The nearest right name for a wrong one: keys, options, door names, variables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::evidence {

// Insertions, deletions, replacements and swaps of neighbours, each costing 1; letter case is free.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate with the smallest distance, the first of equals; none when every one is further
// than a third of the longer name (at least 1). A candidate that begins with the name, from three
// letters on, is near whatever its length.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name,
                                                 const std::vector<std::string>& candidates);

// "; did you mean 'ports'?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       const std::vector<std::string>& candidates);

}  // namespace telltale::evidence
