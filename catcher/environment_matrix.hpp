// What a command does in one environment and not in another: whether the documented opt-out works,
// whether it sends something itself, and whether the program is quiet where it takes itself for CI.
//
// One launch each, in this order: without any opt-out; with each opt-out alone (DO_NOT_TRACK=1,
// those that the tool's own environment has, those that the user named); as in CI; and without any
// again. The last tells what an opt-out did from what a second start did: what it lacks too was
// sent the first time only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catcher/attempt.hpp"
#include "evidence/row.hpp"
#include "subject/specification.hpp"

namespace telltale::catcher {

struct Environment {
  std::string name;                  // "DO_NOT_TRACK=1"; of a value of the user's own the name only
  subject::Pairs set;                // besides the tool's own variables
  std::vector<std::string> without;  // variables of the tool's own that it lacks
};

// `opt_outs`: of the user, name and value. `tool`: the tool's own variables.
[[nodiscard]] std::vector<Environment> environment_matrix(const subject::Pairs& opt_outs,
                                                          const subject::Pairs& tool);

// A row for each launch: what it did not reach that the first did, and what besides. `names`: of
// the environments, by launch.
[[nodiscard]] std::vector<evidence::Row> environment_rows(const std::map<int, std::string>& names,
                                                          const std::vector<Attempt>& attempts);

}  // namespace telltale::catcher
