#include "catcher/egress.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "subject/handed_over/clients.hpp"
#include "subject/lane_context.hpp"
#include "subject/scratch.hpp"
#include "subject/specification/values.hpp"
#include "tools/audit.hpp"
#include "tools/command_view.hpp"
#include "tools/finish.hpp"
#include "tools/setting_options.hpp"
#include "tools/tool.hpp"
#include "tools/waivers.hpp"

namespace telltale::tools {

namespace {

constexpr const char* kEgressUsage =
    "\n\n  egress [options] -- COMMAND [ARG...]\n  egress --oci PATH [-- COMMAND "
    "[ARG...]]\n  egress [options] SUBJECT.yaml";

using evidence::ExitStatus;

struct EgressOptions {
  CommonOptions common;
  std::string file;
  std::vector<std::string> command;  // after `--`
  std::string idle;                  // --for
  bool until_exit = false;
  bool linger = false;
  bool terminal = false;  // --tty
  std::string window;
  std::optional<pid_t> process;  // -p
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
  auto* until_exit = app.add_flag(
      "--until-exit", options.until_exit,
      "stop what a command left running when it has itself ended; else that is waited for");
  app.add_flag("--linger", options.linger,
               "look until everything that the command left running has ended too (the default)")
      ->excludes(until_exit);
  app.add_flag("--tty", options.terminal,
               "give the command a terminal of its own, as if a person sat there: many programs "
               "ask, tell and send only then");
  app.add_option("--window", options.window,
                 "look at least so long after the start: instead of `window` in SUBJECT.yaml")
      ->type_name("TIME");
  app.add_option("--undriven", options.undriven,
                 "a port that the program listens on and nobody needs to ask, and why")
      ->type_name("PORT=REASON")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("-p,--pid", options.process,
                 "refused: a process that runs already cannot be sealed; says what to run instead")
      ->type_name("PID");
  app.add_option("--user", options.setting.user,
                 "run the command as this user; an ordinary user too may say root, and anybody "
                 "else, where newuidmap and a range in /etc/subuid are there")
      ->type_name("NAME");
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

// What an option such as --for says; nothing where it was not given.
Result<std::optional<subject::Milliseconds>> time_of(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto time = subject::parse_duration(text);
  if (!time || time->count() == 0)
    return fail(Fault::input, fmt::format("{} {} is no time to look", option, text),
                "write a number and a unit: 500ms, 60s, 2m");
  return *time;
}

// A command's, or an image's.
std::string name_of(const EgressOptions& options) {
  const auto& named = options.command.empty() ? options.setting.oci : options.command.front();
  return std::filesystem::path(named).filename().string();
}

// Another root is for a command.
Result<> check_shape(const EgressOptions& options) {
  const bool image = !options.setting.oci.empty();
  const bool root = image || !options.setting.rootfs.empty();
  if (image && !options.setting.rootfs.empty())
    return fail(Fault::input, "--rootfs and --oci name two roots", "leave one of them out");
  if (!options.file.empty() && root)
    return fail(Fault::input, "--rootfs and --oci are for a command, not for a SUBJECT.yaml",
                "egress --oci PATH [-- COMMAND [ARG...]]");
  if (options.command.empty() == options.file.empty() && !(image && options.file.empty()))
    return fail(Fault::input, "give either a COMMAND or a SUBJECT.yaml",
                "egress -- COMMAND [ARG...], or egress SUBJECT.yaml");
  return {};
}

// An option of the one form, given to the other, would be passed over in silence.
Result<> check_places(const EgressOptions& options) {
  if (options.file.empty()) {
    if (options.window.empty()) return {};
    return fail(Fault::input, "--window belongs to a SUBJECT.yaml",
                "a command is watched for its own run, or until --for TIME");
  }
  if (!options.idle.empty())
    return fail(Fault::input, "--for belongs to a COMMAND",
                "a SUBJECT.yaml is watched for its `window`, or --window TIME");
  if (options.terminal)
    return fail(Fault::input, "--tty belongs to a COMMAND",
                "leave it out: the output of a SUBJECT.yaml's program is kept in a file");
  if (options.until_exit || options.linger)
    return fail(Fault::input, "--until-exit and --linger belong to a COMMAND",
                "leave them out: a SUBJECT.yaml says how its subject is stopped");
  return {};
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
       options.setting.read_tls, view->place, view->limits},
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
  if (const auto fine = check_shape(options); !fine) return say(fine.error(), "egress");
  if (const auto fine = check_places(options); !fine) return say(fine.error(), "egress");
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
