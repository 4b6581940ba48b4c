// The end of every run: results.json, the reports, the exit status.
//
//   auto output = Output::open(options, {.subject_name = "notes", .keep = true});
//   if (!output) return say(output.error(), "self");         // before anything has been started
//   ... run the lanes, into output->folder() ...
//   return output->finish(run, masker);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "evidence/evidence_folder.hpp"
#include "evidence/exit_status.hpp"
#include "evidence/mask.hpp"
#include "evidence/progress.hpp"
#include "evidence/results.hpp"
#include "tools/options.hpp"

namespace telltale::tools {

struct OutputPlan {
  std::string subject_name;
  bool keep = false;  // an evidence folder even without --out: evidence/NAME-DATE/
  // A command given after `--` owns stdout: the text report goes to stderr, others need a file.
  bool subject_owns_stdout = false;
};

class Output {
 public:
  // Makes the evidence folder, when one is wanted. Fault::input when it cannot be, or when a report
  // has nowhere to go.
  [[nodiscard]] static Result<Output> open(const CommonOptions& options, const OutputPlan& plan);

  // nullptr: nothing is kept.
  [[nodiscard]] const evidence::EvidenceFolder* folder() const {
    return folder_ ? &*folder_ : nullptr;
  }
  [[nodiscard]] evidence::Messages& messages() { return *messages_; }
  // For LaneContext::tell; empty when nobody watches. Not after this object's end.
  [[nodiscard]] std::function<void(const std::string& line)> teller() const;

  // Completes the run (end, load, what was accepted), writes results.json and every report. A
  // report that cannot be written is said, and the status is then never CLEAN's.
  [[nodiscard]] evidence::ExitStatus finish(evidence::Run& run,
                                            const evidence::Masker& masker = {});

 private:
  Output(const CommonOptions& options, const OutputPlan& plan);
  [[nodiscard]] Result<> write(const FormatRequest& request, const nlohmann::json& results);

  CommonOptions options_;
  OutputPlan plan_;
  std::optional<evidence::EvidenceFolder> folder_;
  std::unique_ptr<evidence::Messages> messages_;
};

// Whether a report can be written there, asked before a run that would be lost otherwise. An empty
// path is stdout's. Fault::input, naming the option that said it.
[[nodiscard]] Result<> check_writable(const std::filesystem::path& file, const std::string& option);

// Says the error on stderr, with its fix; the exit status that its fault has.
[[nodiscard]] evidence::ExitStatus say(const Error& error, const std::string& tool);

}  // namespace telltale::tools
