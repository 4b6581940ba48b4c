// The steps before the start: initdb, a migration, the first user.
#pragma once

#include <vector>

#include "evidence/result.hpp"
#include "subject/doors/door.hpp"
#include "subject/output.hpp"
#include "subject/specification.hpp"
#include "subject/variables.hpp"

namespace telltale::subject {

inline constexpr Milliseconds kSetupLimit{600'000};  // for each step

// In order; what a step captures is set in `variables`, what it prints goes to `output`. The first
// failure ends it: Fault::subject with what it printed; Fault::interrupted.
[[nodiscard]] Result<> run_setup(const std::vector<Step>& steps, const DoorContext& context,
                                 Variables& variables, Output& output);

}  // namespace telltale::subject
