// Whether a path lies in a folder, by its name alone: no link is followed.
#pragma once

#include <filesystem>

namespace telltale::catcher {

// Also true of the folder itself.
[[nodiscard]] inline bool is_below(const std::filesystem::path& path,
                                   const std::filesystem::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace telltale::catcher
