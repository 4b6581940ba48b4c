// What the cipher lane writes into its record of one run of the subject.
#pragma once

#include <string>

#include "canary/store_run.hpp"
#include "evidence/lane_result.hpp"

namespace telltale::canary {

[[nodiscard]] evidence::LaneRecord begin_cipher_record();

// "${data}/notes.db" and the like: the work folder is gone and its name says nothing.
[[nodiscard]] std::string shown(const std::string& path, const StoreRun& run);

// The canaries or the key were readable in it.
[[nodiscard]] bool exposes_canary(const StoreRun& run);

// A run that must leave nothing readable: controls "..., read back" and "..., files", the search's
// own controls and observer, findings, files that could not be read, rows.
void add_keyed_run(const StoreRun& run, evidence::LaneRecord& record);

// A run in which every canary must be found: one control for each.
void add_control_run(const StoreRun& run, evidence::LaneRecord& record);

// The same question asked of `decrypt:`.
void add_decryption(const StoreRun& run, evidence::LaneRecord& record);

void add_headers(const StoreRun& run, evidence::LaneRecord& record);

// One JSON object a line: every hit of the run.
[[nodiscard]] std::string hits_jsonl(const StoreRun& run);

}  // namespace telltale::canary
