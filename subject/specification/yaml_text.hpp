// Looks into the text of a YAML file, for what yaml-cpp does not say or see.
#pragma once

#include <yaml-cpp/mark.h>

#include <cstddef>
#include <string_view>

#include "subject/specification/mistakes.hpp"

namespace telltale::subject {

// yaml-cpp counts columns in bytes from 0; people count characters from 1.
[[nodiscard]] Place place_of(std::string_view text, const YAML::Mark& mark);

// Whether the quoted text that opens at `open` ends before the file does.
[[nodiscard]] bool quote_closes(std::string_view text, std::size_t open);

// The column of the first tab in the indentation of a line, 0 when there is none.
[[nodiscard]] int indenting_tab(std::string_view text, int line);

}  // namespace telltale::subject
