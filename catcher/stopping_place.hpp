// Where a subject stopped: the last place that it reached out to in one launch, when nobody
// answered there. For a subject that has ended, or was never ready; that it ended for want of an
// answer is likely, and not known.
#pragma once

#include <string>
#include <vector>

#include "catcher/sighting.hpp"

namespace telltale::catcher {

// "idp.example:443"; empty: what it asked last was answered, or it asked nothing. What companions
// did is left out.
[[nodiscard]] std::string stopping_place(const std::vector<Sighting>& sightings, int launch);

}  // namespace telltale::catcher
