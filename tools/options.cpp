#include "tools/options.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "evidence/results.hpp"
#include "evidence/suggest.hpp"

namespace telltale::tools {

namespace {

using evidence::ExitStatus;

std::string exit_statuses() {
  std::string text = "Exit statuses:\n";
  for (const auto& row : evidence::exit_status_table())
    text += fmt::format("  {:<4} {}: {}\n", row.number(), row.name, row.meaning);
  return text;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto* format : evidence::report_formats()) names.emplace_back(format->name());
  return names;
}

std::string format_help() {
  std::string help = "report format, to stdout or to PATH; may be given more than once:";
  for (const auto* format : evidence::report_formats())
    help += fmt::format("\n{} ({})", format->name(), format->description());
  return help;
}

Result<FormatRequest> format_request(const std::string& word) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  const auto* format = evidence::find_report_format(name);
  if (format == nullptr) {
    std::string known;
    for (const auto& one : format_names()) known += (known.empty() ? "" : ", ") + one;
    return fail(Fault::input,
                fmt::format("--format: there is no format \"{}\"{}", name,
                            evidence::did_you_mean(name, format_names())),
                "the formats are: " + known);
  }
  return FormatRequest{format, equals == std::string::npos ? "" : word.substr(equals + 1)};
}

Result<> resolve(CommonOptions& options) {
  if (options.json) options.format_words.emplace_back("json");
  const bool somewhere = std::any_of(options.format_words.begin(), options.format_words.end(),
                                     [](const auto& word) { return word.find('=') == word.npos; });
  // A format that goes to a file of its own leaves stdout to the report for a person.
  if (!somewhere) options.format_words.emplace_back("text");
  int without_file = 0;
  for (const auto& word : options.format_words) {
    auto request = format_request(word);
    if (!request) return pass_on(request.error());
    without_file += request->file.empty() ? 1 : 0;
    options.formats.push_back(*std::move(request));
  }
  if (without_file > 1)
    return fail(Fault::input, "two formats would be mixed on one output",
                "give all but one a file: --format json=PATH");
  if (options.quiet) options.verbosity = evidence::Verbosity::quiet;
  if (options.verbose) options.verbosity = evidence::Verbosity::verbose;
  return {};
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

ExitStatus usage(const CLI::App& app, const std::string& what, const std::string& fix) {
  std::cerr << app.get_name() << ": " << what << "\n  fix: " << fix << '\n';
  return ExitStatus::usage;
}

ExitStatus explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto see = fmt::format("\"{} --help\" lists the options", app.get_name());
  for (const auto& word : app.remaining()) {
    const auto name = word.substr(0, word.find('='));
    if (name.starts_with("--"))
      return usage(app,
                   fmt::format("there is no option {}{}", name,
                               evidence::did_you_mean(name, option_names(app))),
                   see);
  }
  return usage(app, error.what(), see);
}

}  // namespace

CLI::Option* filled(CLI::Option* option) {
  return option->check(CLI::Validator(
      [](const std::string& value) { return value.empty() ? "its value is empty" : ""; }, ""));
}

std::string version_line(const std::string& name) {
  const auto stamp = evidence::tool_stamp(name);
  return fmt::format("{} {} ({})", name, stamp.version, stamp.commit);
}

void add_common_options(CLI::App& app, CommonOptions& options) {
  app.set_version_flag("--version", version_line(app.get_name()));
  app.footer(exit_statuses());
  filled(app.add_option("--format", options.format_words, format_help()))
      ->type_name("F[=PATH]")
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--json", options.json, "the same as --format json");
  filled(app.add_option("-o", options.output_file, "write the report to FILE instead of stdout"))
      ->type_name("FILE");
  filled(
      app.add_option("--out", options.output_folder, "keep the evidence in DIR, which must be new"))
      ->type_name("DIR");
  auto* quiet = app.add_flag("-q", options.quiet, "no messages but errors");
  app.add_flag("-v", options.verbose, "more messages, every row")->excludes(quiet);
  app.add_flag("--no-color", options.no_color, "no colour, as with NO_COLOR");
  app.add_flag("--accept-reduced", options.accept.reduced, "CLEAN under reduced assurance exits 0");
  app.add_flag("--advisory", options.accept.advisory, "FINDINGS exits 0; nothing else changes");
}

std::optional<ExitStatus> parse(CLI::App& app, const std::vector<std::string>& arguments) {
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success& done) {
    app.exit(done);
    return ExitStatus::clean;
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  return std::nullopt;
}

std::optional<ExitStatus> parse(CLI::App& app, const std::vector<std::string>& arguments,
                                CommonOptions& options) {
  if (const auto over = parse(app, arguments)) return over;
  if (const auto resolved = resolve(options); !resolved)
    return usage(app, resolved.error().what, resolved.error().fix);
  return std::nullopt;
}

}  // namespace telltale::tools
