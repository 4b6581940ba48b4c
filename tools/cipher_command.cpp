#include "cipher_command.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "canary/search_command.hpp"
#include "evidence/exit_status.hpp"
#include "evidence/progress.hpp"
#include "evidence/results.hpp"
#include "evidence/terminal.hpp"
#include "subject/interruption.hpp"

namespace telltale::tools {

namespace {

using evidence::ExitStatus;

constexpr const char* kSearchFooter =
    R"(Every file is searched, binary or not, hidden or not; what gzip files hold; names, targets of
links (which are not followed) and extended attributes.

Exit status, which is not grep's convention (0 when something is found):
  0    NOT FOUND: every place was looked at, and every control held
  1    FOUND
  2    bad arguments or input: nothing was searched
  3    NOT EVIDENCE: nothing was found, but nothing was searched, a place could not be looked at,
       or a control failed
  130  stopped by SIGINT (143: by SIGTERM); what was seen so far is printed

A value in an argument can be read by every user of the machine while the search runs (ps): for a
real secret use -f.)";

struct Options {
  canary::SearchRequest search;
  bool no_color = false;
};

void add_search(CLI::App& app, Options& options) {
  auto* search = app.add_subcommand("search", "look for values in everything below some folders");
  auto& request = options.search;
  search->footer(kSearchFooter);
  search->add_option("DIR", request.roots, "folders or files")->required();
  search->add_option("--canary", request.values, "a value to look for (may be repeated)")
      ->type_name("V")
      ->allow_extra_args(false);
  search->add_option("-f,--file", request.value_file, "values from FILE, one a line; - is stdin")
      ->type_name("FILE");
  search->add_flag("--json", request.json, "print one JSON document");
  search->add_option("-o,--output", request.output, "write the report to FILE")->type_name("FILE");
  search->add_flag("-q,--quiet", request.quiet, "print the first line alone");
  search->add_flag("-v,--verbose", request.verbose, "print every line of every list");
  search->add_flag("--no-color", options.no_color, "no colour, whatever the terminal");
}

ExitStatus run(Options& options) {
  const subject::Interruption interruption;
  const auto verbosity = options.search.quiet     ? evidence::Verbosity::quiet
                         : options.search.verbose ? evidence::Verbosity::verbose
                                                  : evidence::Verbosity::normal;
  evidence::Messages messages(std::cerr, STDERR_FILENO, verbosity);
  options.search.color = options.search.output.empty() && !options.search.json &&
                         evidence::color_wanted(STDOUT_FILENO, options.no_color);
  canary::SearchConsole console{std::cin, std::cout, messages,
                                [&] { return interruption.signal(); }};
  return canary::run_search(options.search, console);
}

}  // namespace

int cipher(int argc, const char* const* argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has seen enough is no error
  Options options;
  CLI::App app("cipher: is what was written readable on the disk?", "cipher");
  app.set_version_flag("--version", evidence::tool_stamp("cipher").version);
  app.require_subcommand(1);
  add_search(app, options);
  try {
    app.parse(argc, argv);
    return static_cast<int>(run(options));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitStatus::usage);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return static_cast<int>(ExitStatus::not_evidence);
  }
}

}  // namespace telltale::tools
