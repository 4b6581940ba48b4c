// The files that the subject wrote, in the record and in the evidence: egress/written.jsonl.
#pragma once

#include <vector>

#include "catcher/world/overlay.hpp"
#include "evidence/lane_result.hpp"
#include "subject/lane_context.hpp"

namespace telltale::catcher {

// One row with the counts, one for each of the first files, and all of them in the file. Nothing
// for no folders. Fault::instrument when the file cannot be written.
[[nodiscard]] Result<> record_written(const std::vector<OverlaidFolder>& folders,
                                      subject::LaneContext& context, evidence::LaneRecord& record);

}  // namespace telltale::catcher
