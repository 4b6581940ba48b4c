// The values of `cipher search`, from its arguments and from a file of one value a line.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::canary {

// Empty lines are left out, and so is the carriage return of a file written on Windows: with it the
// value would never be found. Fault::input, naming `name`: nothing to read, no value in it, or more
// than 16 MiB.
[[nodiscard]] Result<std::vector<std::string>> read_values(std::istream& in,
                                                           const std::string& name);

// `file`: a path, or "-" for `standard_input`.
[[nodiscard]] Result<std::vector<std::string>> read_value_file(const std::string& file,
                                                               std::istream& standard_input);

}  // namespace telltale::canary
