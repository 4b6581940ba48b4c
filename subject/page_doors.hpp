// Page doors belong to the egress lane, and to the sealed world: elsewhere what a page loads would
// be loaded. Whoever drives the other doors leaves them out, and says so.
#pragma once

#include <string>
#include <vector>

#include "subject/specification.hpp"

namespace telltale::subject {

[[nodiscard]] std::vector<std::string> page_doors(const Specification& specification);  // names
[[nodiscard]] Specification without_page_doors(Specification specification);

}  // namespace telltale::subject
