#include "catcher/egress.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "subject/handed_over/clients.hpp"
#include "subject/lane_context.hpp"
#include "subject/scratch.hpp"
#include "tools/audit.hpp"
#include "tools/command_view.hpp"
#include "tools/egress_options.hpp"
#include "tools/finish.hpp"
#include "tools/tool.hpp"
#include "tools/waivers.hpp"

namespace telltale::tools {

namespace {

constexpr const char* kEgressUsage =
    "\n\n  egress [options] -- COMMAND [ARG...]\n  egress --oci PATH [-- COMMAND "
    "[ARG...]]\n  egress [options] SUBJECT.yaml";

using evidence::ExitStatus;

// A command's, or an image's.
std::string name_of(const EgressOptions& options) {
  const auto& named = options.command.empty() ? options.setting.oci : options.command.front();
  return std::filesystem::path(named).filename().string();
}

ExitStatus run_command(const EgressOptions& options) {
  const subject::Interruption interruption;
  if (const auto elsewhere = subject::asks_a_daemon(options.command))
    return say(*elsewhere, "egress");
  const auto idle = time_of("--for", options.idle);
  if (!idle) return say(idle.error(), "egress");
  auto terms = waivers_of(options.undriven, "listener:");
  if (!terms) return say(terms.error(), "egress");
  auto waivers = evidence::Waivers::make("--undriven", *terms, evidence::now());
  if (!waivers) return say(waivers.error(), "egress");
  const auto name = name_of(options);
  auto output = Output::open(options.common, {name, false, true});
  if (!output) return say(output.error(), "egress");
  auto scratch = subject::Scratch::make();
  if (!scratch) return say(scratch.error(), "egress");
  auto view = open_view(options.setting, options.command, scratch->path());
  if (!view) return say(view.error(), "egress");
  const auto enclosure = subject::make_plain_enclosure();
  auto setting =
      open_setting(options.setting, view->files, *enclosure, scratch->path(), output->folder());
  if (!setting) return say(setting.error(), "egress");
  evidence::Run run;
  run.tool = evidence::tool_stamp("egress");
  run.host = evidence::read_host();
  evidence::Masker masker;
  evidence::Waivers allow;
  subject::LaneContext context{*enclosure, interruption, run.host,        masker,
                               *waivers,   allow,        scratch->path(), output->folder()};
  context.tell = output->teller();
  run.lanes.push_back(catcher::run_egress_command(
      {view->command, *idle, options.until_exit, options.terminal, options.setting.user,
       options.setting.read_tls, view->place, view->limits, environments_of(options, *view)},
      context, **setting));
  run.subject = {name, context.executed, {}, view->image};
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
  if (options.process) return say(subject::runs_already(*options.process), "egress");
  if (const auto fine = check_egress_options(options); !fine) return say(fine.error(), "egress");
  if (options.file.empty()) return run_command(options);
  const auto window = time_of("--window", options.window);
  if (!window) return say(window.error(), "egress");
  return audit({"egress",
                options.common,
                options.file,
                "egress",
                options.undriven,
                {},
                {},
                options.setting,
                *window});
}

}  // namespace

const Tool egress_tool = {"egress", "What does this program try to send off the machine?",
                          run_egress};

}  // namespace telltale::tools
