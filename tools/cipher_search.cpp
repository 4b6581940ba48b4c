#include "tools/cipher_search.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "canary/search_command.hpp"
#include "evidence/exit_status.hpp"
#include "evidence/progress.hpp"
#include "evidence/terminal.hpp"
#include "subject/interruption.hpp"
#include "tools/finish.hpp"
#include "tools/options.hpp"

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

void add_search_options(CLI::App& app, Options& options) {
  auto& request = options.search;
  app.footer(kSearchFooter);
  app.set_version_flag("--version", version_line("cipher"));
  app.add_option("DIR", request.roots, "folders or files")->required();
  app.add_option("--canary", request.values, "a value to look for (may be repeated)")
      ->type_name("V")
      ->allow_extra_args(false);
  filled(
      app.add_option("-f,--file", request.value_file, "values from FILE, one a line; - is stdin"))
      ->type_name("FILE");
  app.add_flag("--json", request.json, "print one JSON document");
  filled(app.add_option("-o,--output", request.output, "write the report to FILE"))
      ->type_name("FILE");
  app.add_flag("-q,--quiet", request.quiet, "print the first line alone");
  app.add_flag("-v,--verbose", request.verbose, "print every line of every list");
  app.add_flag("--no-color", options.no_color, "no colour, whatever the terminal");
}

ExitStatus run(Options& options) {
  auto& request = options.search;
  const auto verbosity = request.quiet     ? evidence::Verbosity::quiet
                         : request.verbose ? evidence::Verbosity::verbose
                                           : evidence::Verbosity::normal;
  evidence::Messages messages(std::cerr, STDERR_FILENO, verbosity);
  if (const auto writable = check_writable(request.output, "-o"); !writable) {
    messages.error(writable.error());
    return ExitStatus::usage;
  }
  if (const auto loaded = canary::load_values(request, std::cin, messages); !loaded) {
    messages.error(loaded.error());
    return ExitStatus::usage;
  }
  request.color = request.output.empty() && !request.json &&
                  evidence::color_wanted(STDOUT_FILENO, options.no_color);
  const subject::Interruption interruption;
  canary::SearchConsole console{std::cout, messages, [&] { return interruption.signal(); }};
  return canary::run_search(request, console);
}

}  // namespace

ExitStatus cipher_search(const std::vector<std::string>& arguments) {
  CLI::App app("Look for values in everything below some folders.", "cipher search");
  Options options;
  add_search_options(app, options);
  if (const auto over = parse(app, arguments)) return *over;
  return run(options);
}

}  // namespace telltale::tools
