// Exceptions given on a command line: "WHAT=REASON".
#pragma once

#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "evidence/waivers.hpp"

namespace telltale::tools {

// `prefix` goes before WHAT: "listener:" for --undriven PORT=REASON. Fault::input for a word
// without a reason.
[[nodiscard]] Result<std::vector<evidence::WaiverTerms>> waivers_of(
    const std::vector<std::string>& words, const std::string& prefix);

}  // namespace telltale::tools
