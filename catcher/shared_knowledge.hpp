// One observer knows the name of an address, another the program behind a port.
#pragma once

#include <vector>

#include "catcher/sighting.hpp"

namespace telltale::catcher {

// Each sighting of that address is given the name, each of that connection the program.
void share_what_is_known(std::vector<Sighting>& sightings);

}  // namespace telltale::catcher
