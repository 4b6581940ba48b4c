// `cipher search DIR --canary V`: only the search, by itself.
#pragma once

#include <string>
#include <vector>

#include "evidence/exit_status.hpp"

namespace telltale::tools {

// The arguments behind "search".
[[nodiscard]] evidence::ExitStatus cipher_search(const std::vector<std::string>& arguments);

}  // namespace telltale::tools
