#include <CLI/CLI.hpp>

#include "tools/finish.hpp"
#include "tools/self_modules.hpp"
#include "tools/tool.hpp"

namespace telltale::tools {

namespace {

void add_self_options(CLI::App& app, SelfOptions& options) {
  auto* program =
      app.add_option("BINARY", options.program, "a program that says what it is built from");
  app.add_option("-L", options.lockfile, "a lockfile instead: go.mod or go.sum; the weaker source")
      ->type_name("LOCKFILE")
      ->excludes(program);
  app.add_option("--registry", options.registry,
                 "ask the registry at URL; \"configured\": the one that the package manager is set "
                 "to; unless said the public one")
      ->type_name("URL");
  app.add_flag("--dry-run", options.dry_run, "list what would be asked, and ask nothing; exits 3");
  app.add_flag("--ask-private", options.ask_private,
               "ask for modules too that your settings call private; their names then leave");
  app.add_option("--proxy", options.proxy, "reach the registry through this HTTP proxy")
      ->type_name("URL");
  app.add_option("--cacert", options.ca_file, "trust the certificates of FILE (PEM)")
      ->type_name("FILE");
  app.add_option("--waive", options.waive,
                 "what was not looked at and need not be, as the report names it, and why")
      ->type_name("WHAT=REASON")
      ->take_all()
      ->allow_extra_args(false);
}

evidence::ExitStatus run_self(const std::vector<std::string>& arguments) {
  CLI::App app(std::string(self_tool.summary), std::string(self_tool.name));
  SelfOptions options;
  add_common_options(app, options.common);
  add_self_options(app, options);
  if (const auto over = parse(app, arguments, options.common)) return *over;
  return self_modules(options);
}

}  // namespace

const Tool self_tool = {"self", "Can anyone fetch, build and start this?", run_self};

}  // namespace telltale::tools
