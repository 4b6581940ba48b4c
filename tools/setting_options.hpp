// Where an egress run takes place, as the command line says it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catcher/setting.hpp"
#include "evidence/evidence_folder.hpp"
#include "evidence/result.hpp"
#include "subject/enclosure.hpp"
#include "subject/specification.hpp"

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
  std::string home;  // as written: overlay; empty: the program has the machine's files as they are
  std::string rootfs;  // a folder
  std::string oci;     // an image layout
};

// Whether --home overlay was said. Fault::input for another word, beside --plain, and beside
// another root, of which the program has such a view anyway.
[[nodiscard]] Result<bool> overlay_wanted(const SettingOptions& options);

void add_setting_options(CLI::App& app, SettingOptions& options);

// What the program sees of files; nothing of it: the machine's, as they are.
struct FileView {
  std::vector<std::filesystem::path> covered;  // WorldPlan::covered; what is not there is left out
  std::filesystem::path root;                  // WorldPlan::root
  std::optional<catcher::SubjectIds> user;     // WorldPlan::subject
};

// What the sealed world of a subject.yaml has around the subject, and one launch more. Fault::input
// for an HTTP archive that cannot be read, and for options that do not go with the file.
[[nodiscard]] Result<catcher::SealedPlan> sealed_plan(const subject::Specification& specification,
                                                      const SettingOptions& options);

// The sealed world unless `plain` or `without_namespaces` was said, in which the program sees of
// files what `view` says. `base` is what the options do not say. `scratch` stays visible in it; the
// capture goes to `folder`, nullptr: nowhere. Call it while the process has one thread.
// Fault::input for a word that is no answer, Fault::instrument where the world cannot be made, with
// the remedy.
[[nodiscard]] Result<std::unique_ptr<catcher::Setting>> open_setting(
    const SettingOptions& options, const FileView& view, subject::Enclosure& plain,
    const std::filesystem::path& scratch, const evidence::EvidenceFolder* folder,
    catcher::SealedPlan base = {});

}  // namespace telltale::tools
