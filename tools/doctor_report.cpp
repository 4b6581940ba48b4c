#include "tools/doctor_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <sstream>

#include "evidence/characters.hpp"
#include "evidence/report/page.hpp"

namespace telltale::tools {

namespace {

using evidence::Ink;
using evidence::Page;

constexpr auto kWorks = "works";
constexpr auto kDoesNot = "does not";
constexpr auto kIndent = "              ";

// Never broken: it is there to be copied.
void write_fix(const std::string& fix, Page& page) {
  std::istringstream lines(fix);
  std::string before = "fix: ";
  for (std::string line; std::getline(lines, line); before.clear())
    page.line(kIndent + before + evidence::visible(line));
}

void write_error(const Error& error, Page& page) {
  page.paragraph(evidence::visible(error.what), kIndent);
  if (!error.fix.empty()) write_fix(error.fix, page);
}

// What fails for the same reason as one before it says so, and no more.
void write_mechanism(const catcher::Examined& one, std::set<std::string>& said, Page& page) {
  const auto* mark = one.outcome ? kWorks : kDoesNot;
  const auto first = fmt::format("  {:<10}  ", mark);
  auto text = fmt::format("{}: {}", one.name, one.serves);
  if (one.outcome && !one.outcome->empty()) text += fmt::format(" ({})", *one.outcome);
  page.marked(one.outcome ? Ink::good : Ink::bad, fmt::format("  {}", mark),
              evidence::visible(text), first);
  if (one.outcome) return;
  if (said.insert(one.outcome.error().text()).second)
    write_error(one.outcome.error(), page);
  else
    page.line(fmt::format("{}for the same reason", kIndent));
}

void write_controls(const Diagnosis& diagnosis, Page& page) {
  if (diagnosis.tried.empty()) return;
  page.heading(diagnosis.tried == kSealedTried
                   ? "Observers, each tried with its control in a sealed world"
                   : "Observers, each tried with its control, without namespaces");
  if (!diagnosis.controls) return write_error(diagnosis.controls.error(), page);
  for (const auto& control : *diagnosis.controls) {
    const auto* mark = control.held ? "held" : "NOT held";
    page.marked(control.held ? Ink::good : Ink::bad, fmt::format("  {}", mark),
                evidence::visible(fmt::format("{}: {}", control.name, control.observed)),
                fmt::format("  {:<10}  ", mark));
  }
}

std::string conclusion(const Diagnosis& diagnosis) {
  if (diagnosis.sealed())
    return "nothing can leave a run here, and observers that hold their controls cover each other.";
  const std::string refused = "a sealed run ends with exit status 3 here. ";
  if (diagnosis.tried == kLandlockTried && diagnosis.observers_hold())
    return refused +
           "egress --without-namespaces works: reduced assurance, because these ways are unseen:";
  return refused + "Only egress --plain is left: nothing is held back, and little of it seen.";
}

nlohmann::json of(const catcher::Examined& one) {
  nlohmann::json json = {
      {"name", one.name}, {"serves", one.serves}, {"works", one.outcome.has_value()}};
  if (one.outcome)
    json["detail"] = *one.outcome;
  else
    json.update({{"why", one.outcome.error().what}, {"fix", one.outcome.error().fix}});
  return json;
}

}  // namespace

bool Diagnosis::observers_hold() const {
  return controls && !controls->empty() &&
         std::all_of(controls->begin(), controls->end(), [](const auto& one) { return one.held; });
}

bool Diagnosis::sealed() const {
  return tried == kSealedTried && observers_hold();
}

evidence::ExitStatus Diagnosis::status() const {
  return sealed() ? evidence::ExitStatus::clean : evidence::ExitStatus::not_evidence;
}

void write_text(const Diagnosis& diagnosis, bool color, std::ostream& out) {
  Page page(out, color);
  page.heading(fmt::format("What this machine lets a run of {} do", diagnosis.user));
  std::set<std::string> said;
  for (const auto& one : diagnosis.mechanisms) write_mechanism(one, said, page);
  write_controls(diagnosis, page);
  page.line();
  const auto* mark = diagnosis.sealed() ? "sealed" : "not sealed";
  page.marked(diagnosis.sealed() ? Ink::good : Ink::bad, mark, conclusion(diagnosis),
              fmt::format("{}: ", mark));
  if (!diagnosis.sealed() && diagnosis.tried == kLandlockTried)
    for (const auto& unseen : diagnosis.assurance.unseen) page.paragraph(unseen, "  - ");
}

nlohmann::json to_json(const Diagnosis& diagnosis) {
  nlohmann::json json = {{"user", diagnosis.user},
                         {"assurance", diagnosis.sealed()           ? "sealed"
                                       : diagnosis.observers_hold() ? "reduced"
                                                                    : "none"},
                         {"unseen", diagnosis.assurance.unseen},
                         {"exit_status", static_cast<int>(diagnosis.status())},
                         {"tried", diagnosis.tried},
                         {"mechanisms", nlohmann::json::array()},
                         {"observers", nlohmann::json::array()}};
  for (const auto& one : diagnosis.mechanisms) json["mechanisms"].push_back(of(one));
  if (!diagnosis.controls) {
    json["why"] = diagnosis.controls.error().what;
    json["fix"] = diagnosis.controls.error().fix;
    return json;
  }
  for (const auto& control : *diagnosis.controls)
    json["observers"].push_back({{"control", control.name},
                                 {"expected", control.expected},
                                 {"observed", control.observed},
                                 {"held", control.held}});
  return json;
}

}  // namespace telltale::tools
