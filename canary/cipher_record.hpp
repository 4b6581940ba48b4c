// What the cipher lane writes into its record of one run of the subject.
#pragma once

#include <string>

#include "canary/store_run.hpp"
#include "evidence/lane_result.hpp"

namespace telltale::canary {

[[nodiscard]] evidence::LaneRecord begin_cipher_record();

// It ended when it was asked to, or by itself with 0; not by a crash, and nobody had to kill it.
[[nodiscard]] bool stopped_in_order(const StoreRun& run);

// A canary was readable in a file or in what it printed.
[[nodiscard]] bool exposes_canary(const StoreRun& run);

// A run that must leave nothing readable: controls "NAME: canary N read back" and "NAME: data
// folder", the search's own controls and observer, findings, what could not be read, rows. The key
// in a file that this tool wrote for the program is how it was handed over, and no finding.
void add_keyed_run(const StoreRun& run, evidence::LaneRecord& record);

// A run in which every canary must be found: one control for each.
void add_control_run(const StoreRun& run, evidence::LaneRecord& record);

// The same question asked of `decrypt:`.
void add_decryption(const StoreRun& run, evidence::LaneRecord& record);

// One JSON object a line: every hit of the run.
[[nodiscard]] std::string hits_jsonl(const StoreRun& run);

}  // namespace telltale::canary
