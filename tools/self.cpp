#include <CLI/CLI.hpp>

#include "sweep/readers/reader.hpp"
#include "tools/audit.hpp"
#include "tools/finish.hpp"
#include "tools/self_modules.hpp"
#include "tools/tool.hpp"

namespace telltale::tools {

namespace {

constexpr const char* kSelfUsage =
    "\n\n  self [options] BINARY\n  self [options] SUBJECT.yaml\n  self [options] -L LOCKFILE";

void add_self_options(CLI::App& app, SelfOptions& options) {
  auto* program = app.add_option("BINARY", options.program,
                                 "a program that says what it is built from, or a subject.yaml");
  app.add_option("-L", options.lockfile, "a lockfile instead: go.mod or go.sum; the weaker source")
      ->type_name("LOCKFILE")
      ->excludes(program);
  app.add_flag("--dry-run", options.dry_run, "list what would be asked, and ask nothing; exits 3");
  app.add_option("--waive", options.waive,
                 "what was not looked at and need not be, as the report names it, and why")
      ->type_name("WHAT=REASON")
      ->take_all()
      ->allow_extra_args(false);
  add_registry_options(app, options.registry);
}

bool is_subject_file(const std::string& name) {
  const auto extension = std::filesystem::path(name).extension();
  return extension == ".yaml" || extension == ".yml";
}

evidence::ExitStatus run_self(const std::vector<std::string>& arguments) {
  CLI::App app(std::string(self_tool.summary) + kSelfUsage, std::string(self_tool.name));
  SelfOptions options;
  add_common_options(app, options.common);
  add_self_options(app, options);
  if (const auto over = parse(app, arguments, options.common)) return *over;
  if (options.program.empty() && options.lockfile.empty())
    return say({Fault::input, "no program and no lockfile was given",
                "self BINARY, self SUBJECT.yaml, or self -L LOCKFILE; inputs that work: " +
                    sweep::known_inputs()},
               "self");
  if (is_subject_file(options.program))
    return audit(
        {"self", options.common, options.program, "self", {}, options.waive, options.registry, {}});
  return self_modules(options);
}

}  // namespace

const Tool self_tool = {"self", "Can anyone fetch, build and start this?", run_self};

}  // namespace telltale::tools
