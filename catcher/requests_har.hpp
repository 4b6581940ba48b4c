// egress/requests.har: the requests that the observers read, in HTTP Archive 1.2.
//
// One entry a request, in the order of time. Header fields have their names and empty values, which
// may hold secrets; bodies are not kept. Nothing left the machine, so an answer is what the tool
// itself gave, or none (status 0). Before writing, the document goes through the run's masker.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "catcher/sighting.hpp"

namespace telltale::catcher {

inline constexpr std::size_t kHarEntries = 10'000;  // the first ones; a comment counts the others

// Sightings without a method are left out. `version` is the tool's.
[[nodiscard]] nlohmann::json requests_har(std::vector<Sighting> sightings,
                                          const std::string& version);

}  // namespace telltale::catcher
