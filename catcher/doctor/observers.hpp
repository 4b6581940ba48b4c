// The observers of a setting, each tried with its control, with no subject: what a run does before
// it starts its subject, and nothing else.
#pragma once

#include <filesystem>
#include <vector>

#include "catcher/setting.hpp"
#include "evidence/control.hpp"
#include "evidence/result.hpp"

namespace telltale::catcher {

// The controls of the observers, of the enclosure (its seal) and of their agreement. Fault: an
// observer that could not be started. `scratch` holds the control caller.
[[nodiscard]] Result<std::vector<evidence::Control>> try_observers(
    Setting& setting, const std::filesystem::path& scratch);

}  // namespace telltale::catcher
