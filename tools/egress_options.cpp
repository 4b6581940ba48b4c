#include "tools/egress_options.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "subject/environment.hpp"
#include "subject/specification/values.hpp"

namespace telltale::tools {

namespace {

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

Result<> check_places(const EgressOptions& options) {
  if (options.file.empty()) {
    if (options.window.empty()) return {};
    return fail(Fault::input, "--window belongs to a SUBJECT.yaml",
                "a command is watched for its own run, or until --for TIME");
  }
  if (!options.idle.empty())
    return fail(Fault::input, "--for belongs to a COMMAND",
                "a SUBJECT.yaml is watched for its `window`, or --window TIME");
  if (options.environments)
    return fail(Fault::input, "--env-matrix belongs to a COMMAND",
                "leave it out: a SUBJECT.yaml names its variables in `env`");
  if (options.terminal)
    return fail(Fault::input, "--tty belongs to a COMMAND",
                "leave it out: the output of a SUBJECT.yaml's program is kept in a file");
  if (options.until_exit || options.linger)
    return fail(Fault::input, "--until-exit and --linger belong to a COMMAND",
                "leave them out: a SUBJECT.yaml says how its subject is stopped");
  return {};
}

// NAME=VALUE.
std::optional<std::pair<std::string, std::string>> variable_in(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return std::nullopt;
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

Result<> check_matrix(const EgressOptions& options) {
  if (options.environments && options.setting.plain)
    return fail(Fault::input,
                "--env-matrix is not for --plain: there the command would send what you have "
                "opted out of",
                "leave --plain out: in the sealed world nothing leaves");
  for (const auto& text : options.opt_outs)
    if (!variable_in(text))
      return fail(Fault::input, fmt::format("--opt-out {} is no variable and its value", text),
                  "write --opt-out NAME=VALUE");
  return {};
}

}  // namespace

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
  auto* matrix = app.add_flag(
      "--env-matrix", options.environments,
      "launch the command several times: without opt-outs, with DO_NOT_TRACK=1 and each other one, "
      "as in CI, and without again; says what each changes");
  app.add_option("--opt-out", options.opt_outs,
                 "one more environment of the matrix: the opt-out that the program documents")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->allow_extra_args(false)
      ->needs(matrix);
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

std::vector<std::string> split_command(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  std::vector<std::string> command(std::next(dashes), arguments.end());
  arguments.erase(dashes, arguments.end());
  return command;
}

Result<std::optional<subject::Milliseconds>> time_of(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto time = subject::parse_duration(text);
  if (!time || time->count() == 0)
    return fail(Fault::input, fmt::format("{} {} is no time to look", option, text),
                "write a number and a unit: 500ms, 60s, 2m");
  return *time;
}

Result<> check_egress_options(const EgressOptions& options) {
  if (auto fine = check_shape(options); !fine) return fine;
  if (auto fine = check_matrix(options); !fine) return fine;
  return check_places(options);
}

std::vector<catcher::Environment> environments_of(const EgressOptions& options,
                                                  const CommandView& view) {
  if (!options.environments) return {};
  subject::Pairs opt_outs;
  for (const auto& text : options.opt_outs)
    if (auto variable = variable_in(text)) opt_outs.push_back(std::move(*variable));
  return catcher::environment_matrix(
      opt_outs, view.place ? view.place->environment.variables : subject::tool_environment());
}

}  // namespace telltale::tools
