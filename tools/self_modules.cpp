#include "tools/self_modules.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "evidence/characters.hpp"
#include "evidence/counted.hpp"
#include "evidence/waivers.hpp"
#include "subject/interruption.hpp"
#include "sweep/fetcher.hpp"
#include "sweep/registries/registry.hpp"
#include "sweep/sweep.hpp"
#include "tools/finish.hpp"
#include "tools/waivers.hpp"

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
};

Result<Setup> prepare(const std::filesystem::path& file, const RegistryOptions& options) {
  Setup setup;
  setup.file = file;
  auto reading = sweep::read_modules(file);
  if (!reading) return pass_on(reading.error());
  setup.reading = *std::move(reading);
  setup.registry = sweep::make_registry(setup.reading.ecosystem, sweep::settings_of_this_process());
  auto endpoints = setup.registry->endpoints(options.registry);
  if (!endpoints) return pass_on(endpoints.error());
  setup.endpoints = *std::move(endpoints);
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
  const auto plan = sweep::plan(std::move(setup.reading), *setup.registry, setup.endpoints,
                                options.registry.ask_private);
  options.common.json ? print_json(plan) : print(plan);
  return ExitStatus::not_evidence;  // a run that asked nothing never ends with 0
}

// ---- the sweep

Result<sweep::SweepOutcome> ask(Setup setup, const RegistryOptions& options,
                                const evidence::HostStamp* host,
                                const subject::Interruption& interruption) {
  sweep::FetchOptions fetching;
  fetching.user_agent = fmt::format("telltale/{} (+self)", evidence::tool_stamp(kTool).version);
  fetching.proxy = options.proxy;
  fetching.ca_file = options.ca_file;
  fetching.interrupt_fd = interruption.fd();
  auto fetcher = sweep::make_fetcher(std::move(fetching));
  if (!fetcher) return pass_on(std::move(fetcher.error()));
  sweep::SweepOptions sweeping;
  sweeping.ask_private = options.ask_private;
  sweeping.host = host;
  sweeping.interrupted_by = [&] { return interruption.signal(); };
  return sweep::sweep(std::move(setup.reading), *setup.registry, setup.endpoints, **fetcher,
                      sweeping);
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

ExitStatus run(Setup setup, const SelfOptions& options, evidence::Waivers waivers,
               const subject::Interruption& interruption) {
  auto output = Output::open(options.common, {setup.file.filename().string(), false, false});
  if (!output) return say(output.error(), kTool);
  evidence::Run run;
  run.tool = evidence::tool_stamp(kTool);
  run.host = evidence::read_host();
  run.subject = stamp(setup, !setup.reading.weaker);
  output->messages().progress("self: asking for " +
                              evidence::counted(setup.reading.modules.size(), "module"));
  auto outcome = ask(std::move(setup), options.registry, &run.host, interruption);
  if (!outcome) return say(outcome.error(), kTool);
  waivers.apply(outcome->record);
  if (output->folder() != nullptr)
    if (auto kept = sweep::keep_modules(*output->folder(), outcome->modules); !kept)
      outcome->record.grounds.failure = kept.error().what;
  run.lanes.push_back(evidence::conclude(std::move(outcome->record)));
  return output->finish(run);
}

}  // namespace

void add_registry_options(CLI::App& app, RegistryOptions& options) {
  filled(app.add_option(
             "--registry", options.registry,
             "ask the registry at URL; \"configured\": the one that the package manager is set "
             "to; unless said the public one"))
      ->type_name("URL");
  app.add_flag("--ask-private", options.ask_private,
               "ask for modules too that your settings call private; their names then leave");
  filled(app.add_option("--proxy", options.proxy, "reach the registry through this HTTP proxy"))
      ->type_name("URL");
  filled(app.add_option("--cacert", options.ca_file, "trust the certificates of FILE (PEM)"))
      ->type_name("FILE");
}

Result<sweep::SweepOutcome> sweep_file(const std::filesystem::path& file,
                                       const RegistryOptions& options,
                                       const evidence::HostStamp* host,
                                       const subject::Interruption& interruption) {
  auto setup = prepare(file, options);
  if (!setup) return pass_on(std::move(setup.error()));
  return ask(*std::move(setup), options, host, interruption);
}

ExitStatus self_modules(const SelfOptions& options) {
  const subject::Interruption interruption;
  auto setup =
      prepare(options.program.empty() ? options.lockfile : options.program, options.registry);
  if (!setup) return say(setup.error(), kTool);
  if (options.dry_run) return dry_run(*std::move(setup), options);
  auto terms = waivers_of(options.waive, "");
  if (!terms) return say(terms.error(), kTool);
  auto waivers = evidence::Waivers::make("--waive", *terms, evidence::now());
  if (!waivers) return say(waivers.error(), kTool);
  return run(*std::move(setup), options, *std::move(waivers), interruption);
}

}  // namespace telltale::tools
