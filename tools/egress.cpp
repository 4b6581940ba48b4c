#include "catcher/egress.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "subject/lane_context.hpp"
#include "subject/scratch.hpp"
#include "subject/specification/values.hpp"
#include "tools/audit.hpp"
#include "tools/finish.hpp"
#include "tools/setting_options.hpp"
#include "tools/tool.hpp"
#include "tools/waivers.hpp"

namespace telltale::tools {

namespace {

constexpr const char* kEgressUsage =
    "\n\n  egress [options] -- COMMAND [ARG...]\n  egress [options] SUBJECT.yaml";

using evidence::ExitStatus;

struct EgressOptions {
  CommonOptions common;
  std::string file;
  std::vector<std::string> command;  // after `--`
  std::string idle;                  // --for
  std::vector<std::string> undriven;
  SettingOptions setting;
};

void add_egress_options(CLI::App& app, EgressOptions& options) {
  app.add_option("SUBJECT.yaml", options.file, "what to start and how to drive it");
  app.add_option(
         "--for", options.idle,
         "stop a command that stays after so long: 60s, 2m; it is idle. No default: without it "
         "the tool waits for its end")
      ->type_name("TIME");
  app.add_option("--undriven", options.undriven,
                 "a port that the program listens on and nobody needs to ask, and why")
      ->type_name("PORT=REASON")
      ->take_all()
      ->allow_extra_args(false);
  add_setting_options(app, options.setting);
}

// Everything after the first `--` is the command's own.
std::vector<std::string> split_command(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  std::vector<std::string> command(std::next(dashes), arguments.end());
  arguments.erase(dashes, arguments.end());
  return command;
}

Result<catcher::CommandRun> command_run(const EgressOptions& options) {
  catcher::CommandRun run{options.command, {}};
  if (options.idle.empty()) return run;
  const auto time = subject::parse_duration(options.idle);
  if (!time || time->count() == 0)
    return fail(Fault::input, fmt::format("--for {} is no time to look", options.idle),
                "write a number and a unit: 500ms, 60s, 2m");
  run.idle = *time;
  return run;
}

ExitStatus run_command(const EgressOptions& options) {
  const subject::Interruption interruption;
  auto command = command_run(options);
  if (!command) return say(command.error(), "egress");
  auto terms = waivers_of(options.undriven, "listener:");
  if (!terms) return say(terms.error(), "egress");
  auto waivers = evidence::Waivers::make("--undriven", *terms, evidence::now());
  if (!waivers) return say(waivers.error(), "egress");
  const auto name = std::filesystem::path(options.command.front()).filename().string();
  auto output = Output::open(options.common, {name, false, true});
  if (!output) return say(output.error(), "egress");
  auto scratch = subject::Scratch::make();
  if (!scratch) return say(scratch.error(), "egress");
  const auto enclosure = subject::make_plain_enclosure();
  auto setting = open_setting(options.setting, *enclosure, scratch->path(), output->folder());
  if (!setting) return say(setting.error(), "egress");
  evidence::Run run;
  run.tool = evidence::tool_stamp("egress");
  run.host = evidence::read_host();
  evidence::Masker masker;
  evidence::Waivers allow;
  subject::LaneContext context{*enclosure, interruption, run.host,        masker,
                               *waivers,   allow,        scratch->path(), output->folder()};
  context.tell = output->teller();
  run.lanes.push_back(catcher::run_egress_command(*command, context, **setting));
  run.subject = {name, context.executed, {}};
  run.environment = context.environment;
  run.environment_removed = context.environment_removed;
  return output->finish(run, masker);
}

ExitStatus run_egress(const std::vector<std::string>& arguments) {
  CLI::App app(std::string(egress_tool.summary) + kEgressUsage, std::string(egress_tool.name));
  EgressOptions options;
  auto own = arguments;
  options.command = split_command(own);
  add_common_options(app, options.common);
  add_egress_options(app, options);
  if (const auto over = parse(app, own, options.common)) return *over;
  if (options.command.empty() == options.file.empty())
    return say({Fault::input, "give either a COMMAND or a SUBJECT.yaml",
                "egress -- COMMAND [ARG...], or egress SUBJECT.yaml"},
               "egress");
  if (!options.command.empty()) return run_command(options);
  return audit({"egress",
                options.common,
                options.file,
                "egress",
                options.undriven,
                {},
                {},
                options.setting});
}

}  // namespace

const Tool egress_tool = {"egress", "What does this program try to send off the machine?",
                          run_egress};

}  // namespace telltale::tools
