#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "evidence/results.hpp"
#include "evidence/suggest.hpp"
#include "tools/audit.hpp"
#include "tools/finish.hpp"
#include "tools/tool.hpp"

namespace telltale::tools {

namespace {

using evidence::ExitStatus;

ExitStatus run_audit(const std::vector<std::string>& arguments) {
  CLI::App app("Every lane that the file describes.", "telltale audit");
  AuditRequest request;
  request.tool = "telltale";
  add_common_options(app, request.common);
  add_registry_options(app, request.registry);
  app.add_option("SUBJECT.yaml", request.file, "what to start, drive and search")->required();
  app.add_option("--undriven", request.undriven, "a listener that nobody needs to ask, and why")
      ->type_name("PORT=REASON")
      ->take_all()
      ->allow_extra_args(false);
  add_setting_options(app, request.setting);
  if (const auto over = parse(app, arguments, request.common)) return *over;
  return audit(request);
}

const Tool kAudit = {"audit", "every lane that a subject.yaml describes", run_audit};

const Tool* const kTools[] = {&kAudit, &egress_tool, &self_tool, &cipher_tool, &doctor_tool};

ExitStatus help(std::ostream& out) {
  out << "telltale: does it phone home, can anyone build it, is what it writes readable?\n\n"
         "  telltale audit SUBJECT.yaml     every lane that the file describes\n"
         "  telltale doctor                 what this machine can observe\n"
         "  telltale TOOL [options]         one tool; the same as the program of that name\n\n";
  for (const auto* tool : kTools) out << fmt::format("  {:<8} {}\n", tool->name, tool->summary);
  out << "\n\"telltale TOOL --help\" lists the options and the exit statuses.\n";
  return ExitStatus::clean;
}

ExitStatus run_telltale(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    help(std::cerr);
    return ExitStatus::usage;
  }
  const auto& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") return help(std::cout);
  if (name == "--version") {
    const auto stamp = evidence::tool_stamp("telltale");
    std::cout << fmt::format("telltale {} ({})\n", stamp.version, stamp.commit);
    return ExitStatus::clean;
  }
  std::vector<std::string> names;
  for (const auto* tool : kTools) {
    if (tool->name == name) return tool->run({std::next(arguments.begin()), arguments.end()});
    names.emplace_back(tool->name);
  }
  return say({Fault::input,
              fmt::format("there is no tool \"{}\"{}", name, evidence::did_you_mean(name, names)),
              "\"telltale --help\" lists the tools"},
             "telltale");
}

}  // namespace

const Tool telltale_tool = {"telltale", "One name for all the tools.", run_telltale};

}  // namespace telltale::tools
