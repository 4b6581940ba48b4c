#include "evidence/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <sstream>

namespace telltale::evidence {

namespace {

using Reasons = std::vector<std::string>;

// Whether there is a control of that name, and whether all of that name held.
bool ran(const Grounds& grounds, const std::string& name) {
  return std::any_of(grounds.controls.begin(), grounds.controls.end(),
                     [&](const Control& control) { return control.name == name; });
}

bool held(const Grounds& grounds, const std::string& name) {
  return ran(grounds, name) &&
         std::all_of(grounds.controls.begin(), grounds.controls.end(),
                     [&](const Control& control) { return control.name != name || control.held; });
}

// A positive control was pointed at it.
bool was_tried(const Grounds& grounds, const ObserverRecord& observer) {
  return std::any_of(grounds.controls.begin(), grounds.controls.end(), [&](const Control& control) {
    return control.polarity == Polarity::positive && control.observer == observer.name;
  });
}

void add_broken_controls(const Grounds& grounds, Reasons& reasons) {
  for (const auto& control : grounds.controls)
    if (!control.held)
      reasons.push_back(fmt::format("control \"{}\" did not hold: expected {}, observed {}",
                                    control.name, control.expected, control.observed));
}

void add_missing_controls(const Grounds& grounds, Reasons& reasons) {
  if (grounds.required_controls.empty())
    reasons.emplace_back(
        "no control was required of this lane, so nothing shows that it could see");
  for (const auto& name : missing_controls(grounds))
    reasons.push_back(fmt::format("control \"{}\" did not run", name));
}

void add_failed_observers(const Grounds& grounds, Reasons& reasons) {
  for (const auto& observer : grounds.observers) {
    if (!observer.failure.empty())
      reasons.push_back(fmt::format("observer \"{}\" failed: {}", observer.name, observer.failure));
    if (observer.lost > 0)
      reasons.push_back(fmt::format("observer \"{}\" lost {} record{}", observer.name,
                                    observer.lost, observer.lost == 1 ? "" : "s"));
  }
}

void add_missing_observers(const Grounds& grounds, Reasons& reasons) {
  bool proof = false;
  for (const auto& observer : grounds.observers) {
    if (observer.failure.empty() && !observer.started)
      reasons.push_back(fmt::format("observer \"{}\" never started", observer.name));
    else if (observer.failure.empty() && !observer.ended)
      reasons.push_back(fmt::format("observer \"{}\" did not run to the end", observer.name));
    if (observer.role != Role::proof) continue;
    proof = true;
    if (!was_tried(grounds, observer))
      reasons.push_back(
          fmt::format("nothing shows that observer \"{}\" can see: no control that must be seen "
                      "was pointed at it",
                      observer.name));
  }
  if (!proof) reasons.emplace_back("no observer of this lane is proof");
}

void add_coverage(const Grounds& grounds, Reasons& reasons) {
  if (grounds.examined == 0)
    reasons.push_back(grounds.examined_unit.empty()
                          ? "nothing was examined"
                          : fmt::format("nothing was examined (0 {})", grounds.examined_unit));
}

void add_unexamined(const Grounds& grounds, Reasons& reasons) {
  for (const auto& unexamined : grounds.unexamined)
    if (unexamined.waived.empty())
      reasons.push_back(fmt::format("not looked at: {} (waive it as \"{}\", with a reason)",
                                    unexamined.what, unexamined.key));
}

void add_unestablished(const Grounds& grounds, Reasons& reasons) {
  for (const auto& finding : grounds.findings)
    if (!stands(grounds, finding))
      reasons.push_back(
          fmt::format("\"{}\" could not be established: a control that it rests on did not hold",
                      finding.what));
}

// "it exited with 1:\n  no such file\n" -> "it exited with 1: | no such file". A reason is one
// sentence; what a subject printed may be quoted in it.
std::string one_line(const std::string& text) {
  std::string line;
  std::istringstream in(text);
  for (std::string each; std::getline(in, each);) {
    const auto begin = each.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    if (!line.empty()) line += " | ";
    line += each.substr(begin, each.find_last_not_of(" \t\r") - begin + 1);
  }
  return line;
}

// What is missing after a failure or a signal is missing because of it; only what else broke is
// worth a sentence then.
Reasons obstacles(const Grounds& grounds) {
  const bool cut_short = !grounds.failure.empty() || grounds.interrupted_by != 0;
  Reasons reasons;
  if (!grounds.failure.empty()) reasons.push_back(grounds.failure);
  add_broken_controls(grounds, reasons);
  if (!cut_short) add_missing_controls(grounds, reasons);
  add_failed_observers(grounds, reasons);
  if (!cut_short) add_missing_observers(grounds, reasons);
  if (!cut_short) add_coverage(grounds, reasons);
  add_unexamined(grounds, reasons);
  add_unestablished(grounds, reasons);
  for (auto& reason : reasons) reason = one_line(reason);
  return reasons;
}

std::string contradiction(std::ptrdiff_t findings) {
  return findings == 1 ? "1 finding contradicts the claim"
                       : fmt::format("{} findings contradict the claim", findings);
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return "CLEAN";
    case Verdict::findings:
      return "FINDINGS";
    case Verdict::not_evidence:
      return "NOT EVIDENCE";
    case Verdict::interrupted:
      return "INTERRUPTED";
  }
  return "NOT EVIDENCE";
}

bool stands(const Grounds& grounds, const Finding& finding) {
  return std::all_of(finding.rests_on.begin(), finding.rests_on.end(),
                     [&](const auto& control) { return held(grounds, control); });
}

std::vector<std::string> missing_controls(const Grounds& grounds) {
  std::vector<std::string> missing;
  for (const auto& control : grounds.required_controls)
    if (!ran(grounds, control)) missing.push_back(control);
  return missing;
}

Judgement judge(const Grounds& grounds) {
  const auto standing =
      std::count_if(grounds.findings.begin(), grounds.findings.end(),
                    [&](const auto& finding) { return stands(grounds, finding); });
  Judgement judgement;
  judgement.interrupted_by_ = grounds.interrupted_by;
  auto& reasons = judgement.reasons_;
  if (grounds.interrupted_by != 0) reasons.emplace_back("stopped by a signal before the end");
  if (standing > 0) reasons.push_back(contradiction(standing));
  for (auto& obstacle : obstacles(grounds)) reasons.push_back(std::move(obstacle));
  if (grounds.interrupted_by != 0)
    judgement.verdict_ = Verdict::interrupted;
  else if (standing > 0)
    judgement.verdict_ = Verdict::findings;
  else if (reasons.empty())
    judgement.verdict_ = Verdict::clean;
  return judgement;
}

ExitStatus exit_status(const Judgement& judgement, bool reduced_assurance, Acceptance acceptance) {
  switch (judgement.verdict()) {
    case Verdict::clean:
      return reduced_assurance && !acceptance.reduced ? ExitStatus::not_evidence
                                                      : ExitStatus::clean;
    case Verdict::findings:
      return acceptance.advisory ? ExitStatus::clean : ExitStatus::findings;
    case Verdict::not_evidence:
      return ExitStatus::not_evidence;
    case Verdict::interrupted:
      return judgement.interrupted_by() == SIGTERM ? ExitStatus::terminated
                                                   : ExitStatus::interrupted;
  }
  return ExitStatus::not_evidence;
}

ExitStatus worst(ExitStatus a, ExitStatus b) {
  const auto rank = [](ExitStatus status) {
    switch (status) {
      case ExitStatus::terminated:
        return 5;
      case ExitStatus::interrupted:
        return 4;
      case ExitStatus::usage:
        return 3;
      case ExitStatus::findings:
        return 2;
      case ExitStatus::not_evidence:
        return 1;
      case ExitStatus::clean:
        return 0;
    }
    return 5;
  };
  return rank(a) >= rank(b) ? a : b;
}

}  // namespace telltale::evidence
