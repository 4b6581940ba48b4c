// The values of `cipher search`, from its arguments and from a file of one value a line.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::canary {

// Told of what is likely a mistake; never a value.
using Warn = std::function<void(const std::string&)>;

// Empty lines are left out, a byte order mark at the beginning is (and is warned of), and so is the
// carriage return of a file written on Windows: with it the value would never be found.
// Fault::input, naming `name`: nothing to read, no value in it, or more than 16 MiB.
[[nodiscard]] Result<std::vector<std::string>> read_values(std::istream& in,
                                                           const std::string& name,
                                                           const Warn& warn);

// `file`: a path, or "-" for `standard_input`.
[[nodiscard]] Result<std::vector<std::string>> read_value_file(const std::string& file,
                                                               std::istream& standard_input,
                                                               const Warn& warn);

}  // namespace telltale::canary
