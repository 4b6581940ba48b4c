#include "tools/audit.hpp"

#include <fmt/core.h>

#include <functional>

#include "canary/cipher.hpp"
#include "catcher/egress.hpp"
#include "evidence/lane_result.hpp"
#include "subject/environment.hpp"
#include "subject/handed_over/clients.hpp"
#include "subject/interruption.hpp"
#include "subject/lane_context.hpp"
#include "subject/scratch.hpp"
#include "sweep/self.hpp"
#include "tools/finish.hpp"
#include "tools/waivers.hpp"

namespace telltale::tools {

namespace {

using evidence::ExitStatus;
using subject::LaneContext;
using subject::Specification;

struct Lane {
  std::string_view name;
  bool (*described)(const Specification&);
  Result<evidence::LaneResult> (*run)(const Specification&, LaneContext&, const AuditRequest&);
};

sweep::SweepModules modules_by(const AuditRequest& request, LaneContext& context) {
  return [&](const std::filesystem::path& file) {
    return sweep_file(file, request.registry, &context.host, context.interruption);
  };
}

FileView view_of(const Specification& file) {
  FileView view;
  if (file.home != subject::Home::overlay) return view;
  view.covered = {subject::own_home_of(file.user), file.folder};
  if (!file.source.empty()) view.covered.push_back(file.source);
  return view;
}

const Lane kLanes[] = {
    {"egress", [](const Specification& file) { return file.egress.has_value(); },
     [](const Specification& file, LaneContext& context,
        const AuditRequest& request) -> Result<evidence::LaneResult> {
       if (auto elsewhere = subject::asks_a_daemon(file.command))
         return pass_on(std::move(*elsewhere));
       auto where = request.setting;
       where.user = file.user;
       where.read_tls = file.egress->read_tls;
       auto plan = sealed_plan(file, where);
       if (!plan) return pass_on(std::move(plan.error()));
       auto setting = open_setting(where, view_of(file), context.enclosure, context.scratch,
                                   context.folder, std::move(*plan));
       if (!setting) return pass_on(std::move(setting.error()));
       return catcher::run_egress(file, context, **setting);
     }},
    {"self", [](const Specification& file) { return file.self.has_value(); },
     [](const Specification& file, LaneContext& context,
        const AuditRequest& request) -> Result<evidence::LaneResult> {
       return sweep::run_self(file, context, modules_by(request, context));
     }},
    {"cipher", [](const Specification& file) { return file.cipher.has_value(); },
     [](const Specification& file, LaneContext& context, const AuditRequest&)
         -> Result<evidence::LaneResult> { return canary::run_cipher(file, context); }},
};

// A tool of one lane needs no section for it where the defaults say enough.
Result<Specification> load(const AuditRequest& request) {
  const auto overlay = overlay_wanted(request.setting);
  if (!overlay) return pass_on(overlay.error());
  auto specification = subject::load_specification(request.file);
  if (!specification) return specification;
  if (*overlay) specification->home = subject::Home::overlay;
  if (request.lane == "egress" && !specification->egress) specification->egress.emplace();
  if (specification->egress && request.window) specification->egress->window = *request.window;
  if (request.setting.read_tls && specification->egress) specification->egress->read_tls = true;
  if (request.lane == "self" && !specification->self) specification->self.emplace();
  for (const auto& lane : kLanes) {
    const bool wanted = request.lane.empty() || request.lane == lane.name;
    if (wanted && lane.described(*specification)) return specification;
  }
  const auto lane = request.lane.empty() ? "egress, self or cipher" : request.lane;
  return fail(Fault::input, fmt::format("{} describes no {} lane", request.file.string(), lane),
              fmt::format("add a section \"{}:\" (README.md lists its keys)", lane));
}

std::vector<evidence::WaiverTerms> terms_of(const std::vector<subject::WaiverEntry>& entries) {
  std::vector<evidence::WaiverTerms> terms;
  for (const auto& entry : entries) terms.push_back({entry.what, entry.reason, entry.until});
  return terms;
}

// Everything that lives as long as the run.
class Audit {
 public:
  Audit(const AuditRequest& request, Specification specification)
      : request_(request), specification_(std::move(specification)) {}

  ExitStatus run() {
    if (auto ready = prepare(); !ready) return say(ready.error(), request_.tool);
    auto output = Output::open(request_.common, {specification_.name, true, false});
    if (!output) return say(output.error(), request_.tool);
    LaneContext context{*enclosure_,      interruption_,    host_,
                        masker_,          waivers_,         allow_,
                        scratch_->path(), output->folder(), specification_.binary};
    context.tell = output->teller();
    auto built = build(context, *output);
    evidence::Run run;
    run.tool = evidence::tool_stamp(request_.tool);
    for (const auto& lane : kLanes)
      if (wanted(lane)) {
        output->messages().progress(fmt::format("{}: {}", request_.tool, lane.name));
        auto result = built ? lane.run(specification_, context, request_)
                            : Result<evidence::LaneResult>(pass_on(built.error()));
        run.lanes.push_back(result ? std::move(*result) : not_run(lane, result.error(), context));
        if (interruption_.signal() != 0) break;
      }
    run.host = host_;
    run.subject = {specification_.name, context.executed,
                   evidence::read_source(specification_.source)};
    run.environment = context.environment;
    run.environment_removed = context.environment_removed;
    return output->finish(run, masker_);
  }

 private:
  Result<> prepare() {
    auto terms = terms_of(specification_.waive);
    for (const auto& [words, prefix] :
         {std::pair(request_.undriven, "listener:"), std::pair(request_.waive, "")}) {
      auto given = waivers_of(words, prefix);
      if (!given) return pass_on(std::move(given.error()));
      terms.insert(terms.end(), given->begin(), given->end());
    }
    auto waivers = evidence::Waivers::make("waive", terms, evidence::now());
    if (!waivers) return pass_on(std::move(waivers.error()));
    waivers_ = std::move(*waivers);
    if (specification_.egress) {
      auto allow =
          evidence::Waivers::make("allow", terms_of(specification_.egress->allow), evidence::now());
      if (!allow) return pass_on(std::move(allow.error()));
      allow_ = std::move(*allow);
    }
    // What is wrong with it is a mistake of the user's, and no run.
    if (wanted(kLanes[0])) {
      auto plan = sealed_plan(specification_, request_.setting);
      if (!plan) return pass_on(std::move(plan.error()));
    }
    auto scratch = subject::Scratch::make();
    if (!scratch) return pass_on(std::move(scratch.error()));
    scratch_.emplace(std::move(*scratch));
    return {};
  }

  Result<> build(LaneContext& context, Output& output) {
    if (!specification_.build) return {};
    output.messages().progress(fmt::format("{}: building {}", request_.tool, specification_.name));
    auto log = context.log_for("build", specification_.name);
    if (!log) return pass_on(std::move(log.error()));
    auto report =
        subject::build_subject(specification_, *specification_.build, *log, interruption_);
    if (!report) return pass_on(std::move(report.error()));
    context.binary = report->output;
    context.built = std::move(*report);
    return {};
  }

  evidence::LaneResult not_run(const Lane& lane, const Error& error, const LaneContext& context) {
    evidence::LaneRecord record;
    record.lane = lane.name;
    record.claim = "the program was examined";
    context.note(error, record);
    return evidence::conclude(std::move(record));
  }

  [[nodiscard]] bool wanted(const Lane& lane) const {
    return lane.described(specification_) && (request_.lane.empty() || request_.lane == lane.name);
  }

  const AuditRequest& request_;
  Specification specification_;
  const subject::Interruption interruption_;
  const evidence::HostStamp host_ = evidence::read_host();
  std::unique_ptr<subject::Enclosure> enclosure_ = subject::make_plain_enclosure();
  evidence::Masker masker_;
  evidence::Waivers waivers_;
  evidence::Waivers allow_;
  std::optional<subject::Scratch> scratch_;
};

}  // namespace

ExitStatus audit(const AuditRequest& request) {
  auto specification = load(request);
  if (!specification) return say(specification.error(), request.tool);
  return Audit(request, std::move(*specification)).run();
}

}  // namespace telltale::tools
