// The attempts of a run, in the record and in the evidence: egress/attempts.jsonl.
#pragma once

#include <vector>

#include "catcher/attempt.hpp"
#include "catcher/launch_comparison.hpp"
#include "evidence/lane_result.hpp"
#include "subject/lane_context.hpp"

namespace telltale::catcher {

struct RunAttempts {
  const std::vector<Attempt>& counted;
  const std::vector<Attempt>& browsers_own;  // of the browser that opened the pages
  const std::vector<Attempt>& deliberate;    // of the upstream control
};

// Each that counts is a finding, unless `allow:` covers it (a companion's: or `waive:
// companion:NAME`), and says where launches differ. Fault::instrument when the file cannot be
// written.
[[nodiscard]] Result<> record_attempts(const RunAttempts& attempts,
                                       const LaunchComparison& comparison,
                                       subject::LaneContext& context, evidence::LaneRecord& record);

}  // namespace telltale::catcher
