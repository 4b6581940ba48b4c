// A run of subject.yaml: what `telltale audit FILE` does for every lane that the file describes,
// and `egress FILE`, `self FILE`, `cipher FILE` for one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "evidence/exit_status.hpp"
#include "subject/specification.hpp"
#include "tools/options.hpp"
#include "tools/self_modules.hpp"
#include "tools/setting_options.hpp"

namespace telltale::tools {

struct AuditRequest {
  std::string tool;  // the program's name, for messages and the results
  CommonOptions common;
  std::filesystem::path file;
  std::string lane;                   // one of the three; empty: every one that the file describes
  std::vector<std::string> undriven;  // PORT=REASON, listeners that nobody needs to ask
  std::vector<std::string> waive;     // WHAT=REASON
  RegistryOptions registry;
  SettingOptions setting;  // of the egress lane
  std::optional<subject::Milliseconds> window{};  // instead of `egress: window`
};

[[nodiscard]] evidence::ExitStatus audit(const AuditRequest& request);

}  // namespace telltale::tools
