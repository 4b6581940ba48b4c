#include "tools/self_modules.hpp"

#include <fmt/core.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "evidence/characters.hpp"
#include "evidence/json_lines.hpp"
#include "evidence/waivers.hpp"
#include "subject/interruption.hpp"
#include "sweep/fetcher.hpp"
#include "sweep/registries/registry.hpp"
#include "sweep/sweep.hpp"
#include "tools/finish.hpp"

namespace telltale::tools {

namespace {

using evidence::ExitStatus;

constexpr const char* kTool = "self";

// What a run needs before it can ask anything.
struct Setup {
  std::filesystem::path file;
  sweep::Reading reading;
  std::unique_ptr<sweep::Registry> registry;
  sweep::Endpoints endpoints;
  evidence::Waivers waivers;
};

Result<evidence::Waivers> waivers_of(const std::vector<std::string>& words) {
  std::vector<evidence::WaiverTerms> terms;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    terms.push_back(
        {word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1), ""});
  }
  return evidence::Waivers::make("waive", terms, evidence::now());
}

Result<Setup> prepare(const SelfOptions& options) {
  Setup setup;
  setup.file = options.program.empty() ? options.lockfile : options.program;
  if (setup.file.empty())
    return fail(Fault::input, "no program and no lockfile was given",
                "self BINARY, or self -L LOCKFILE; inputs that work: " + sweep::known_inputs());
  auto reading = sweep::read_modules(setup.file);
  if (!reading) return pass_on(reading.error());
  setup.reading = *std::move(reading);
  setup.registry = sweep::make_registry(setup.reading.ecosystem, sweep::settings_of_this_process());
  auto endpoints = setup.registry->endpoints(options.registry);
  if (!endpoints) return pass_on(endpoints.error());
  setup.endpoints = *std::move(endpoints);
  auto waivers = waivers_of(options.waive);
  if (!waivers) return pass_on(waivers.error());
  setup.waivers = *std::move(waivers);
  return setup;
}

// ---- --dry-run

void print(const sweep::Plan& plan) {
  std::cout << "Nothing was asked: this is what would be.\n";
  for (const auto& host : plan.hosts) std::cout << "host: " << host << '\n';
  for (const auto& [module, url] : plan.asked)
    std::cout << "would be asked: " << evidence::visible(module) << "\n  " << url << '\n';
  for (const auto& [module, reason] : plan.not_asked)
    std::cout << "would not be asked: " << evidence::visible(module) << "\n  "
              << evidence::visible(reason) << '\n';
  std::cout << "Before and after, each host would also be asked for a module and a version that "
               "cannot exist,\nand for one that does.\n";
}

void print_json(const sweep::Plan& plan) {
  nlohmann::ordered_json json = {{"dry_run", true}, {"hosts", plan.hosts}};
  for (const auto& [module, url] : plan.asked)
    json["asked"].push_back({{"module", module}, {"url", url}});
  for (const auto& [module, reason] : plan.not_asked)
    json["not_asked"].push_back({{"module", module}, {"reason", reason}});
  std::cout << json.dump(2) << '\n';
}

ExitStatus dry_run(Setup setup, const SelfOptions& options) {
  const auto plan =
      sweep::plan(std::move(setup.reading), *setup.registry, setup.endpoints, options.ask_private);
  options.common.json ? print_json(plan) : print(plan);
  return ExitStatus::not_evidence;  // a run that asked nothing never ends with 0
}

// ---- the sweep

Result<std::unique_ptr<sweep::Fetcher>> fetcher_for(const SelfOptions& options, int interrupt_fd) {
  sweep::FetchOptions fetching;
  fetching.user_agent = fmt::format("telltale/{} (+self)", evidence::tool_stamp(kTool).version);
  fetching.proxy = options.proxy;
  fetching.ca_file = options.ca_file;
  fetching.interrupt_fd = interrupt_fd;
  return sweep::make_fetcher(std::move(fetching));
}

evidence::SubjectStamp stamp(const Setup& setup, bool is_program) {
  evidence::SubjectStamp subject;
  subject.name = setup.file.filename();
  std::error_code ignored;
  const auto path = std::filesystem::canonical(setup.file, ignored);
  subject.source = evidence::read_source(path.parent_path());
  const auto sum = evidence::sha256_of_file(path);
  if (is_program && sum)
    subject.files.push_back(
        {path.string(), *sum, std::filesystem::file_size(path, ignored), "program"});
  return subject;
}

Result<> keep_modules(const evidence::EvidenceFolder& folder,
                      const std::vector<sweep::ModuleAnswer>& modules) {
  auto place = folder.lane("self");
  if (!place) return pass_on(place.error());
  auto lines = evidence::JsonLines::create(*place / "modules.jsonl", nullptr);
  if (!lines) return pass_on(lines.error());
  for (auto& record : sweep::module_records(modules)) lines->append(std::move(record));
  if (auto finished = lines->finish(); !finished) return pass_on(finished.error());
  return {};
}

ExitStatus run(Setup setup, const SelfOptions& options, const subject::Interruption& interruption) {
  auto fetcher = fetcher_for(options, interruption.fd());
  if (!fetcher) return say(fetcher.error(), kTool);
  auto output = Output::open(options.common, {setup.file.filename().string(), false, false});
  if (!output) return say(output.error(), kTool);

  evidence::Run run;
  run.tool = evidence::tool_stamp(kTool);
  run.host = evidence::read_host();
  run.subject = stamp(setup, !setup.reading.weaker);
  output->messages().progress(
      fmt::format("self: asking for {} modules", setup.reading.modules.size()));
  sweep::SweepOptions sweeping;
  sweeping.ask_private = options.ask_private;
  sweeping.host = &run.host;
  sweeping.interrupted_by = [&] { return interruption.signal(); };
  auto outcome =
      sweep::sweep(std::move(setup.reading), *setup.registry, setup.endpoints, **fetcher, sweeping);
  if (!outcome) return say(outcome.error(), kTool);
  setup.waivers.apply(outcome->record);
  if (output->folder() != nullptr)
    if (auto kept = keep_modules(*output->folder(), outcome->modules); !kept)
      outcome->record.grounds.failure = kept.error().what;
  run.lanes.push_back(evidence::conclude(std::move(outcome->record)));
  return output->finish(run);
}

}  // namespace

ExitStatus self_modules(const SelfOptions& options) {
  const subject::Interruption interruption;
  auto setup = prepare(options);
  if (!setup) return say(setup.error(), kTool);
  if (options.dry_run) return dry_run(*std::move(setup), options);
  return run(*std::move(setup), options, interruption);
}

}  // namespace telltale::tools
