// The writes of the cipher lane, driven once more while the subject is watched: what it was told is
// then looked for in what it sends.
#pragma once

#include <string>
#include <vector>

#include "catcher/attempt.hpp"
#include "catcher/sent/sent_values.hpp"
#include "evidence/lane_result.hpp"
#include "subject/enclosure.hpp"
#include "subject/launch.hpp"
#include "subject/specification.hpp"

namespace telltale::catcher {

// Canaries of one launch, ${canary.1} first: lower case, so that a name that was folded still holds
// them. None when the file writes none.
[[nodiscard]] std::vector<std::string> mint_canaries(const subject::Specification& specification);

// The canaries, the key and the secrets of one launch.
[[nodiscard]] std::vector<SentValue> values_of(const subject::Launch& launch, int number,
                                               const std::vector<std::string>& canaries);

// Runs every step of `cipher: write:`; one that fails breaks the control "writes, launch N", or,
// where the cipher lane starts the subject in another way for them (`keyed:`), is a limit.
// Fault::interrupted, Fault::input.
[[nodiscard]] Result<> drive_writes(const subject::Specification& specification,
                                    subject::Launch& launch, subject::Enclosure& enclosure,
                                    int number, evidence::LaneRecord& record);

// A finding for each value at each place, before all others; what was not looked for, and where
// payload went that nobody could read, as limits.
void add_sent_values(const SentValues& sent, const std::vector<SentHit>& hits,
                     const std::vector<Attempt>& attempts, evidence::LaneRecord& record);

}  // namespace telltale::catcher
