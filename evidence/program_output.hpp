// Runs a small helper program of the system (git) and keeps what it prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace telltale::evidence {

// argv[0] is looked up on the PATH of this process; `environment` ("NAME=value") is all that it
// gets. Standard input and error are /dev/null. Empty when it cannot be started, or when it ends
// with another status than 0. It must end by itself: there is no time limit.
[[nodiscard]] std::optional<std::string> output_of(const std::vector<std::string>& argv,
                                                   const std::vector<std::string>& environment);

}  // namespace telltale::evidence
