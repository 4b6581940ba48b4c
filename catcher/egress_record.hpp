// What the egress lane writes into its record: shared by a run of subject.yaml and by one command.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "catcher/launch_comparison.hpp"
#include "catcher/pages.hpp"
#include "catcher/watch.hpp"
#include "evidence/lane_result.hpp"
#include "subject/driver.hpp"
#include "subject/lane_context.hpp"

namespace telltale::catcher {

[[nodiscard]] evidence::LaneRecord begin_egress_record();

// A copy of the control caller in `scratch` that `user` may execute: the one beside the tool may
// lie below a folder that the user cannot enter.
[[nodiscard]] Result<std::filesystem::path> install_caller(const std::filesystem::path& scratch);

void add_stop_rows(const subject::StopReport& report, int launch, evidence::LaneRecord& record);
// Calls made, by door; a door that did not answer as expected breaks the control "doors, launch N".
void add_drive_rows(const subject::DriveReport& report, int launch, evidence::LaneRecord& record);
// Each listener once, however many launches saw it.
void add_unexamined(const std::vector<evidence::Unexamined>& more, evidence::LaneRecord& record);

struct ReadLaunches {
  std::set<int> deliberate;  // upstream controls: no attempts of theirs count
  ComparedLaunches compared;
  std::map<int, std::string> environments{};  // their names, where launches differ in them
};

// Reads the observers out: controls, rows, findings, attempts that `allow:` covers, those of pages
// and of the browser that opened them, attempts.jsonl and requests.har. A companion's attempt is
// covered by `waive: companion:NAME` too. Call after Watch::stop(). Fault::instrument when one of
// the files cannot be written.
[[nodiscard]] Result<> finish_egress_record(const Watch& watch, const Pages& pages,
                                            const ReadLaunches& launches,
                                            subject::LaneContext& context,
                                            evidence::LaneRecord& record);

}  // namespace telltale::catcher
