#include "tools/finish.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "evidence/terminal.hpp"

namespace telltale::tools {

namespace {

using evidence::ExitStatus;

bool was_interrupted(const evidence::Run& run) {
  return std::any_of(run.lanes.begin(), run.lanes.end(), [](const auto& lane) {
    return lane.judgement().verdict() == evidence::Verdict::interrupted;
  });
}

// A reader that went away (EPIPE) has seen enough; a full disk has not been told.
Result<> write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return {};
    } else if (errno != EINTR) {
      return fail(Fault::instrument,
                  fmt::format("the report could not be written: {}", std::strerror(errno)),
                  "make room, or write it elsewhere with -o FILE");
    }
  }
  return {};
}

}  // namespace

Output::Output(const CommonOptions& options, const OutputPlan& plan)
    : options_(options),
      plan_(plan),
      messages_(std::make_unique<evidence::Messages>(std::cerr, STDERR_FILENO, options.verbosity)) {
}

Result<Output> Output::open(const CommonOptions& options, const OutputPlan& plan) {
  const bool elsewhere = !options.output_file.empty();
  for (const auto& request : options.formats)
    if (plan.subject_owns_stdout && request.file.empty() && !elsewhere &&
        request.format->name() != "text")
      return fail(
          Fault::input,
          fmt::format("the command owns stdout, so {} has nowhere to go", request.format->name()),
          "give a file with -o FILE");
  if (auto fine = check_writable(options.output_file, "-o"); !fine) return pass_on(fine.error());
  for (const auto& request : options.formats)
    if (auto fine = check_writable(request.file, "--format"); !fine) return pass_on(fine.error());
  Output output(options, plan);
  if (!options.output_folder.empty() || plan.keep) {
    auto folder =
        evidence::EvidenceFolder::create(options.output_folder, plan.subject_name, evidence::now());
    if (!folder) return pass_on(folder.error());
    output.folder_ = *std::move(folder);
  }
  return output;
}

std::function<void(const std::string& line)> Output::teller() const {
  if (!messages_->shows_progress()) return {};
  return [messages = messages_.get()](const std::string& line) { messages->event(line); };
}

Result<> Output::write(const FormatRequest& request, const nlohmann::json& results) {
  const auto& file = request.file.empty() ? options_.output_file : request.file;
  const int fd = plan_.subject_owns_stdout ? STDERR_FILENO : STDOUT_FILENO;
  const evidence::ReportOptions look{file.empty() && evidence::color_wanted(fd, options_.no_color),
                                     options_.verbose};
  std::ostringstream text;
  request.format->write(results, look, text);
  if (!file.empty()) return evidence::write_durably(file, text.view());
  messages_->clear_progress();
  return write_all(fd, text.view());
}

ExitStatus Output::finish(evidence::Run& run, const evidence::Masker& masker) {
  run.accepted = options_.accept;
  run.ended = evidence::now();
  run.host.load_end = evidence::load_average();
  run.finished = !was_interrupted(run);
  if (folder_) run.evidence_folder = folder_->path();
  auto results = evidence::to_json(run);
  masker.mask(results);
  auto status = evidence::exit_status(run);
  const auto check = [&](const Result<>& written) {
    if (written) return;
    messages_->error(written.error());
    status = evidence::worst(status, ExitStatus::not_evidence);
  };
  // What is printed says how the run ended, so all that can still fail comes before it: first the
  // evidence, then the files, the terminal last.
  if (folder_) {
    const auto kept = folder_->keep(results);
    check(kept);
    if (!kept) results["evidence_folder"] = "";
  }
  const auto write_those = [&](bool to_file) {
    for (const auto& request : options_.formats) {
      results["exit_status"] = static_cast<int>(status);
      if (to_file != (request.file.empty() && options_.output_file.empty()))
        check(write(request, results));
    }
  };
  write_those(true);
  write_those(false);
  if (folder_) messages_->detail("the evidence is in " + folder_->path().string());
  return status;
}

Result<> check_writable(const std::filesystem::path& file, const std::string& option) {
  if (file.empty()) return {};
  std::error_code error;
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const auto wrong = [&](const std::string& why) {
    return fail(Fault::input,
                fmt::format("{}: {} cannot be written: {}", option, file.string(), why),
                fmt::format("give {} a file in a folder that is there and may be written", option));
  };
  if (std::filesystem::is_directory(file, error)) return wrong("it is a folder");
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    return access(file.c_str(), W_OK) == 0 ? Result<>() : wrong(std::strerror(errno));
  if (!std::filesystem::is_directory(folder, error))
    return wrong(fmt::format("{} is no folder", folder.string()));
  // A report replaces the file, so it is the folder that must be writable.
  return access(folder.c_str(), W_OK | X_OK) == 0 ? Result<>() : wrong(std::strerror(errno));
}

ExitStatus say(const Error& error, const std::string& tool) {
  evidence::Messages(std::cerr, STDERR_FILENO, evidence::Verbosity::normal)
      .error({error.fault, tool + ": " + error.what, error.fix});
  switch (error.fault) {
    case Fault::input:
      return ExitStatus::usage;
    case Fault::interrupted:
      return ExitStatus::interrupted;
    case Fault::instrument:
    case Fault::subject:
      return ExitStatus::not_evidence;
  }
  return ExitStatus::not_evidence;
}

}  // namespace telltale::tools
