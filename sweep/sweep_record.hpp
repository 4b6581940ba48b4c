// Turns the answers of a sweep into what a lane says: findings, what was not looked at, rows, the
// table of modules, limits.
#pragma once

#include "sweep/sweep.hpp"
#include "sweep/tally.hpp"

namespace telltale::sweep {

struct RecordContext {
  const Reading& reading;
  const Registry& registry;
  const Endpoints& endpoints;
  const Fetcher& fetcher;
  const SweepOptions& options;
  double seconds = 0;  // the sweep, controls included
};

// Fills everything but grounds.controls, required_controls, observers and interrupted_by.
void fill_record(evidence::LaneRecord& record, const std::vector<ModuleAnswer>& modules,
                 const RecordContext& context);

}  // namespace telltale::sweep
