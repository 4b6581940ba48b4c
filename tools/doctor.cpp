// telltale doctor: what can this machine observe?
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "catcher/doctor/mechanisms.hpp"
#include "catcher/doctor/observers.hpp"
#include "evidence/results.hpp"
#include "evidence/terminal.hpp"
#include "subject/identity.hpp"
#include "subject/scratch.hpp"
#include "tools/doctor_report.hpp"
#include "tools/finish.hpp"
#include "tools/options.hpp"
#include "tools/setting_options.hpp"
#include "tools/tool.hpp"

namespace telltale::tools {

namespace {

using evidence::ExitStatus;

// The observers of the best setting that the mechanisms allow. Last, because making a world changes
// this process for good.
void try_setting(const std::filesystem::path& scratch, Diagnosis& diagnosis) {
  const bool sealed = catcher::all_work(diagnosis.mechanisms, catcher::Need::sealed);
  if (!sealed && !catcher::all_work(diagnosis.mechanisms, catcher::Need::landlock)) return;
  diagnosis.tried = sealed ? kSealedTried : kLandlockTried;
  SettingOptions options;
  options.without_namespaces = !sealed;
  const auto plain = subject::make_plain_enclosure();
  auto setting = open_setting(options, {}, *plain, scratch, nullptr);
  if (!setting) {
    diagnosis.controls = pass_on(std::move(setting.error()));
    return;
  }
  diagnosis.assurance = (*setting)->enclosure().assurance();
  diagnosis.controls = catcher::try_observers(**setting, scratch);
}

ExitStatus run_doctor(const std::vector<std::string>& arguments) {
  CLI::App app(std::string(doctor_tool.summary) +
                   "\n\nEach mechanism is tried by doing it, each observer with its control. Exits "
                   "with 0 when a sealed run works here, else with 3.",
               "telltale doctor");
  bool json = false;
  bool no_color = false;
  app.add_flag("--json", json, "print a document instead");
  app.add_flag("--no-color", no_color, "no colours, even on a terminal");
  if (const auto over = parse(app, arguments)) return *over;
  Diagnosis diagnosis;
  auto user = subject::find_identity("");
  if (!user) return say(user.error(), "telltale doctor");
  diagnosis.user = user->name;
  diagnosis.mechanisms = catcher::examine_mechanisms();
  auto scratch = subject::Scratch::make();
  if (!scratch) return say(scratch.error(), "telltale doctor");
  try_setting(scratch->path(), diagnosis);
  if (json)
    std::cout << evidence::to_text(to_json(diagnosis));
  else
    write_text(diagnosis, evidence::color_wanted(STDOUT_FILENO, no_color), std::cout);
  std::cout.flush();
  return diagnosis.status();
}

}  // namespace

const Tool doctor_tool = {
    "doctor", "What can this machine observe, and what must be allowed first?", run_doctor};

}  // namespace telltale::tools
