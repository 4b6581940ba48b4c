// The search of the cipher lane, for the egress lane to look into what is sent: no lane knows
// another, so the tools bring them together.
#pragma once

#include "catcher/sent/search.hpp"

namespace telltale::tools {

// Canaries ("canary ...") in every simple encoding, other values as keys are (canary/pattern.hpp).
[[nodiscard]] std::unique_ptr<catcher::SentSearch> make_sent_search(
    const std::vector<catcher::SentValue>& values);

}  // namespace telltale::tools
