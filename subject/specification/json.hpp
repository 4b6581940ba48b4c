// A YAML value as JSON, typed by the core schema of YAML 1.2 (section 10.3.2).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "subject/specification/view.hpp"

namespace telltale::subject {

// Unquoted null, true, false and numbers become that; everything else, and all that is quoted, is a
// string, checked for variables. What JSON cannot hold (.inf, .nan, a number of more than 64 bits)
// is a mistake.
[[nodiscard]] std::optional<nlohmann::json> json_of(const View& view);

}  // namespace telltale::subject
