// The self lane of a subject.yaml: can anyone, with no credential, fetch everything that it is
// built from, build it, and start it?
//
// Modules are swept (sweep.hpp); the program is started, asked through every door, measured, and
// started again. What the doors say is evidence only because the same door is refused before the
// start and after the stop: the answers came from this program.
#pragma once

#include <filesystem>
#include <functional>

#include "evidence/lane_result.hpp"
#include "subject/lane_context.hpp"
#include "subject/specification.hpp"
#include "sweep/sweep.hpp"

namespace telltale::sweep {

// Sweeps the modules that this file names, with the registry and the options of the command line.
using SweepModules = std::function<Result<SweepOutcome>(const std::filesystem::path& file)>;

[[nodiscard]] evidence::LaneResult run_self(const subject::Specification& specification,
                                            subject::LaneContext& context,
                                            const SweepModules& sweep_modules);

}  // namespace telltale::sweep
