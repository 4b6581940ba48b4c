// Modules asked of their registry: for `self BINARY`, `self -L LOCKFILE`, and the self lane of a
// subject.yaml.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evidence/exit_status.hpp"
#include "evidence/result.hpp"
#include "tools/options.hpp"

namespace telltale::evidence {
struct HostStamp;
}
namespace telltale::subject {
class Interruption;
}
namespace telltale::sweep {
struct SweepOutcome;
}

namespace telltale::tools {

// How a registry is asked: the same options for every tool that asks one.
struct RegistryOptions {
  std::string registry;  // --registry; empty: the public one
  std::string proxy, ca_file;
  bool ask_private = false;
};

void add_registry_options(CLI::App& app, RegistryOptions& options);

// Reads the file's modules and asks for them.
[[nodiscard]] Result<sweep::SweepOutcome> sweep_file(const std::filesystem::path& file,
                                                     const RegistryOptions& options,
                                                     const evidence::HostStamp* host,
                                                     const subject::Interruption& interruption);

struct SelfOptions {
  CommonOptions common;
  RegistryOptions registry;
  std::string program;             // BINARY; exactly one of the two
  std::string lockfile;            // -L
  std::vector<std::string> waive;  // WHAT=REASON
  bool dry_run = false;
};

// Modules only: nothing is built or started.
[[nodiscard]] evidence::ExitStatus self_modules(const SelfOptions& options);

}  // namespace telltale::tools
