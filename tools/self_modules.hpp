// `self BINARY` and `self -L LOCKFILE`: modules only, nothing is built or started.
#pragma once

#include <string>
#include <vector>

#include "evidence/exit_status.hpp"
#include "tools/options.hpp"

namespace telltale::tools {

struct SelfOptions {
  CommonOptions common;
  std::string program;   // BINARY; exactly one of the two
  std::string lockfile;  // -L
  std::string registry;  // --registry; empty: the public one
  std::string proxy, ca_file;
  std::vector<std::string> waive;  // WHAT=REASON
  bool dry_run = false, ask_private = false;
};

[[nodiscard]] evidence::ExitStatus self_modules(const SelfOptions& options);

}  // namespace telltale::tools
