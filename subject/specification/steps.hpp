// Lists of steps: set-up, doors, writes, reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subject/specification/names.hpp"

namespace telltale::subject {

struct StepRules {
  std::string_view key;    // of the list
  std::string_view shape;  // in keys.hpp: "setup", "door", "step"
};

// Reads the list in order; `captured` holds what earlier lists captured and gets what these do.
// `scope`: the variables of every step, captured ones not counted.
[[nodiscard]] std::vector<Step> read_steps(const Section& parent, const StepRules& rules,
                                           const Scope& scope, const Names& names,
                                           std::vector<Captured>& captured);

// The first step that needs a subject which is up and listening, null when none does.
[[nodiscard]] const Step* first_that_connects(const std::vector<Step>& steps);

}  // namespace telltale::subject
