// What a subject's own view of the files does not cover (world/overlay.hpp), for the report.
#pragma once

#include <vector>

#include "catcher/world/world.hpp"
#include "evidence/lane_result.hpp"

namespace telltale::catcher {

// Empty where the subject writes to the machine's files.
[[nodiscard]] std::vector<evidence::Limit> view_limits(const World& world);

}  // namespace telltale::catcher
