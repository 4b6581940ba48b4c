// The command line of cipher, for `cipher` itself and for `telltale cipher`.
#pragma once

namespace telltale::tools {

// Parses, runs and reports; returns the exit status (evidence/exit_status.hpp).
[[nodiscard]] int cipher(int argc, const char* const* argv);

}  // namespace telltale::tools
