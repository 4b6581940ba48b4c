// Runs with something of everything, for the tests of results and reports.
#pragma once

#include "evidence/results.hpp"

namespace telltale::test {

// A host, a subject, an environment; finished, no lane.
[[nodiscard]] evidence::Run empty_run();

// Everything held; examined, bounded, reduced assurance, a waived thing, a timing and a table.
[[nodiscard]] evidence::LaneRecord sound_lane(const std::string& lane = "egress");

// One CLEAN lane.
[[nodiscard]] evidence::Run clean_run();

// CLEAN under reduced assurance, FINDINGS with a failed observer and an expired waiver, and a lane
// that failed.
[[nodiscard]] evidence::Run mixed_run();

// Stopped by SIGINT in its one lane, after a finding.
[[nodiscard]] evidence::Run interrupted_run();

}  // namespace telltale::test
