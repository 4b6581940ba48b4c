// Where an egress run takes place, as the command line says it.
#pragma once

#include <memory>
#include <string>

#include "catcher/setting.hpp"
#include "evidence/evidence_folder.hpp"
#include "evidence/result.hpp"
#include "subject/enclosure.hpp"

namespace CLI {
class App;
}

namespace telltale::tools {

struct SettingOptions {
  bool plain = false;
  bool without_namespaces = false;
  bool proxy_variables = false;
  bool no_witness = false;
  bool read_tls = false;
  std::string answer;  // as written; empty: accept-close
  std::string user;    // of the subject; empty: the tool's own. No option: the tool's to fill in
};

void add_setting_options(CLI::App& app, SettingOptions& options);

// The sealed world unless `plain` or `without_namespaces` was said. `scratch` stays visible in it; the capture goes to
// `folder`, nullptr: nowhere. Call it while the process has one thread. Fault::input for a word
// that is no answer, Fault::instrument where the world cannot be made, with the remedy.
[[nodiscard]] Result<std::unique_ptr<catcher::Setting>> open_setting(
    const SettingOptions& options, subject::Enclosure& plain, const std::filesystem::path& scratch,
    const evidence::EvidenceFolder* folder);

}  // namespace telltale::tools
