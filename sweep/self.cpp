#include "sweep/self.hpp"

#include <fmt/core.h>

#include <iterator>

#include "evidence/results.hpp"
#include "subject/driver.hpp"
#include "subject/launch.hpp"
#include "subject/page_doors.hpp"
#include "sweep/harness_cost.hpp"
#include "sweep/interface_count.hpp"
#include "sweep/per_call.hpp"

namespace telltale::sweep {

namespace {

constexpr int kHarnessCalls = 500;

// The modules' own record becomes the beginning of the lane's.
void merge_modules(evidence::LaneRecord modules, evidence::LaneRecord& into) {
  modules.lane = into.lane;
  modules.started = into.started;
  into = std::move(modules);
}

class SelfLane {
 public:
  SelfLane(const subject::Specification& specification, subject::LaneContext& context)
      : specification_(subject::without_page_doors(specification)),
        settings_(*specification.self),
        context_(context) {
    record_.lane = "self";
    record_.claim = "it starts, and every door answers";
    record_.grounds.examined_unit = "modules asked and calls made";
    for (const auto& door : subject::page_doors(specification))
      record_.skipped.emplace_back("door \"" + door + "\"", "a page: egress opens it, sealed");
    doors_.name = "doors";
    doors_.sees = "whether each door of the file answers as the file expects";
    doors_.misses = "doors that the file does not name; whether an answer is right";
  }

  evidence::LaneResult run(const SweepModules& sweep_modules) {
    auto done = modules(sweep_modules);
    build_rows();
    if (done) done = boot_and_ask();
    if (done) done = phases();
    if (done) harness_rows();
    if (!done) context_.note(done.error(), record_);
    finish();
    return context_.conclude(std::move(record_));
  }

 private:
  // --- modules -----------------------------------------------------------------------------------

  Result<> modules(const SweepModules& sweep_modules) {
    if (settings_.modules_from.empty()) {
      record_.grounds.unexamined.push_back(
          {"modules", "the modules that it is built from were not asked of any registry", ""});
      return {};
    }
    const auto file = settings_.modules_from == "binary"
                          ? context_.binary
                          : specification_.source / settings_.modules_from;
    auto outcome = sweep_modules(file);
    if (!outcome) return pass_on(std::move(outcome.error()));
    merge_modules(std::move(outcome->record), record_);
    record_.claim += ", it starts, and every door answers";
    return context_.folder == nullptr ? Result<>()
                                      : keep_modules(*context_.folder, outcome->modules);
  }

  // --- build -------------------------------------------------------------------------------------

  void build_rows() {
    if (context_.built)
      record_.rows.push_back(evidence::Row::timing("built from source", context_.built->seconds,
                                                   "s", context_.host,
                                                   "its output is kept in raw/log"));
    else
      record_.skipped.emplace_back("build", "subject.yaml names no build command");
    std::error_code error;
    const auto size = std::filesystem::file_size(context_.binary, error);
    if (!error)
      record_.rows.emplace_back("binary size", static_cast<std::int64_t>(size), "B",
                                context_.binary.filename().string());
  }

  // --- boot and doors ----------------------------------------------------------------------------

  Result<> boot_and_ask() {
    auto launch = prepare("first boot", nullptr);
    if (!launch) return pass_on(std::move(launch.error()));
    require_silence(**launch, "before the start");
    doors_.started = evidence::now();
    if (auto first = (*launch)->start(); !first) return first;
    boot_row("boot to healthy, first", **launch,
             "home and data folder as set up; the first run of a fresh binary, not to be compared");
    auto asked = ask(**launch);
    (*launch)->stop();
    if (!asked) return asked;
    require_silence(**launch, "after the stop");
    if (auto second = (*launch)->start(); !second) return second;
    boot_row("boot to healthy, second", **launch, "the same home and data folder");
    (*launch)->stop();
    return {};
  }

  Result<std::unique_ptr<subject::Launch>> prepare(const std::string& name,
                                                   const subject::Difference* difference) {
    subject::LaunchOptions options;
    options.name = "self " + name;
    options.difference = difference;
    options.home = context_.scratch / "self-home";
    options.binary = context_.binary;
    auto log = context_.log_for("self", name);
    if (!log) return pass_on(std::move(log.error()));
    options.log = std::move(*log);
    auto launch =
        subject::Launch::prepare(specification_, context_.enclosure, context_.interruption,
                                 context_.scratch, std::move(options));
    if (!launch) return launch;
    if (auto learned = context_.learn(**launch); !learned)
      return pass_on(std::move(learned.error()));
    return launch;
  }

  void boot_row(const std::string& name, subject::Launch& launch, const std::string& note) {
    record_.rows.push_back(
        evidence::Row::timing(name, launch.boot_ms(), "ms", context_.host, note));
  }

  // A door that answers although the subject does not run is somebody else's.
  void require_silence(subject::Launch& launch, const std::string& when) {
    if (specification_.doors.empty()) return;
    const auto& door = specification_.doors.front();
    const auto answer = subject::run_step(door, launch, context_.enclosure);
    evidence::Control control{fmt::format("door \"{}\", {}", door.name, when),
                              "doors",
                              evidence::Polarity::negative,
                              "no answer while it does not run",
                              "",
                              !answer};
    control.observed = answer ? "something else answered" : answer.error().what;
    add_control(std::move(control));
  }

  void add_control(evidence::Control control) {
    record_.grounds.required_controls.push_back(control.name);
    record_.grounds.controls.push_back(std::move(control));
  }

  Result<> ask(subject::Launch& launch) {
    auto driver = subject::Driver::open(specification_, launch, context_.enclosure);
    if (!driver) return pass_on(std::move(driver.error()));
    if (auto entered = driver->enter(); !entered) return entered;
    if (auto asked = driver->rounds(1, context_.interruption); !asked) return asked;
    add_doors_control(driver->report());
    for (const auto& listener : subject::undriven_listeners(specification_, launch))
      record_.grounds.unexamined.push_back(listener);
    if (auto counted = count_interfaces(launch); !counted) return counted;
    return measure(*driver, "");
  }

  void add_doors_control(const subject::DriveReport& report) {
    evidence::Control control{
        "every door, asked once",           "doors", evidence::Polarity::positive,
        "each answers as the file expects", "",      report.failed() == 0};
    control.observed =
        fmt::format("{} of {} calls as expected", report.calls() - report.failed(), report.calls());
    for (const auto& door : report.doors)
      if (door.failed > 0)
        control.observed += fmt::format("; \"{}\": {}", door.door, door.first_failure);
    record_.grounds.examined += report.calls();
    record_.rows.emplace_back("doors asked once", static_cast<std::int64_t>(report.doors.size()),
                              "", control.observed);
    add_control(std::move(control));
  }

  Result<> count_interfaces(subject::Launch& launch) {
    if (!settings_.openapi.empty()) {
      auto count = count_operations(launch);
      if (!count) return pass_on(std::move(count.error()));
      record_.rows.emplace_back("OpenAPI operations", count->operations, "",
                                fmt::format("over {} paths", count->paths));
    }
    for (const auto& door : specification_.doors)
      if (std::holds_alternative<subject::McpCall>(door.call)) return count_tools(door, launch);
    return {};
  }

  Result<OpenApiCount> count_operations(subject::Launch& launch) {
    subject::Step step;
    step.name = "openapi";
    subject::HttpCall call;
    call.url = settings_.openapi;
    step.call = std::move(call);
    auto answer = subject::run_step(step, launch, context_.enclosure);
    if (!answer) return pass_on(std::move(answer.error()));
    return count_openapi(answer->body);
  }

  Result<> count_tools(const subject::Step& door, subject::Launch& launch) {
    auto step = door;
    step.capture.clear();
    step.expect = {};
    auto& call = std::get<subject::McpCall>(step.call);
    call.call = "tools/list";
    call.params.reset();
    auto answer = subject::run_step(step, launch, context_.enclosure);
    if (!answer) return pass_on(std::move(answer.error()));
    auto tools = count_mcp_tools(answer->body);
    if (!tools) return pass_on(std::move(tools.error()));
    record_.rows.emplace_back("MCP tools", *tools, "", fmt::format("by door \"{}\"", door.name));
    return {};
  }

  // --- per-call table ----------------------------------------------------------------------------

  Result<> measure(subject::Driver& driver, const std::string& phase) {
    if (driver.size() == 0) return {};
    auto calls = measure_doors(driver, settings_.calls, phase, context_.interruption);
    if (!calls) return pass_on(std::move(calls.error()));
    std::move(calls->begin(), calls->end(), std::back_inserter(calls_));
    return {};
  }

  Result<> phases() {
    for (const auto& [phase, difference] : specification_.phases) {
      auto launch = prepare("phase " + phase, &difference);
      if (!launch) return pass_on(std::move(launch.error()));
      if (auto started = (*launch)->start(); !started) return started;
      auto driver = subject::Driver::open(specification_, **launch, context_.enclosure, phase);
      if (!driver) return pass_on(std::move(driver.error()));
      if (auto entered = driver->enter(); !entered) return entered;
      if (auto measured = measure(*driver, phase); !measured) return measured;
      (*launch)->stop();
    }
    return {};
  }

  void harness_rows() {
    if (calls_.empty()) return;
    record_.tables.push_back(per_call_table(figures_of(calls_), context_.host));
    const auto cost = measure_harness(context_.enclosure, kHarnessCalls);
    if (!cost) {
      record_.limits.push_back({"the harness's own cost is not known: " + cost.error().what});
      return;
    }
    record_.rows.push_back(evidence::Row::timing(
        "harness's own cost per call", cost->added() / 1000, "us", context_.host,
        fmt::format("p50 of {} calls of a do-nothing server: {:.1f} us by a door, {:.1f} us bare",
                    cost->calls, cost->door_p50 / 1000, cost->bare_p50 / 1000)));
  }

  // --- end ---------------------------------------------------------------------------------------

  void finish() {
    if (doors_.started && record_.grounds.failure.empty()) doors_.ended = evidence::now();
    record_.grounds.observers.push_back(doors_);
    if (!record_.bounds.empty()) record_.bounds += "; ";
    record_.bounds += fmt::format("{} doors, this configuration", specification_.doors.size());
    record_.limits.push_back(
        {"\"starts and answers\" holds for this machine and this configuration"});
    context_.waivers.apply(record_);
  }

  const subject::Specification specification_;
  const subject::SelfSettings& settings_;
  subject::LaneContext& context_;
  evidence::LaneRecord record_;
  evidence::ObserverRecord doors_;
  std::vector<DoorCalls> calls_;
};

}  // namespace

evidence::LaneResult run_self(const subject::Specification& specification,
                              subject::LaneContext& context, const SweepModules& sweep_modules) {
  return SelfLane(specification, context).run(sweep_modules);
}

}  // namespace telltale::sweep
