#include "evidence/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>

namespace telltale::evidence {

namespace {

const Control* find_control(const Grounds& grounds, const std::string& name) {
  const auto found = std::find_if(grounds.controls.begin(), grounds.controls.end(),
                                  [&](const Control& control) { return control.name == name; });
  return found == grounds.controls.end() ? nullptr : &*found;
}

bool stands(const Grounds& grounds, const Finding& finding) {
  return std::all_of(finding.rests_on.begin(), finding.rests_on.end(), [&](const auto& name) {
    const auto* control = find_control(grounds, name);
    return control != nullptr && control->held;
  });
}

void add_control_reasons(const Grounds& grounds, std::vector<std::string>& reasons) {
  if (grounds.required_controls.empty())
    reasons.emplace_back("no control was required of this lane, so nothing shows that it could see");
  for (const auto& name : grounds.required_controls)
    if (find_control(grounds, name) == nullptr)
      reasons.push_back(fmt::format("control \"{}\" did not run", name));
  for (const auto& control : grounds.controls)
    if (!control.held)
      reasons.push_back(fmt::format("control \"{}\" did not hold: expected {}, observed {}",
                                    control.name, control.expected, control.observed));
}

void add_observer_reasons(const Grounds& grounds, std::vector<std::string>& reasons) {
  bool proof = false;
  for (const auto& observer : grounds.observers) {
    proof = proof || observer.role == Role::proof;
    if (!observer.failure.empty())
      reasons.push_back(fmt::format("observer \"{}\" failed: {}", observer.name, observer.failure));
    else if (!observer.started)
      reasons.push_back(fmt::format("observer \"{}\" never started", observer.name));
    else if (!observer.ended)
      reasons.push_back(fmt::format("observer \"{}\" did not run to the end", observer.name));
    if (observer.lost > 0)
      reasons.push_back(fmt::format("observer \"{}\" lost {} records", observer.name, observer.lost));
  }
  if (!proof) reasons.emplace_back("no observer of this lane is proof");
}

void add_coverage_reasons(const Grounds& grounds, std::vector<std::string>& reasons) {
  if (grounds.examined == 0)
    reasons.push_back(fmt::format("nothing was examined (0 {})", grounds.examined_unit));
  for (const auto& unexamined : grounds.unexamined)
    if (unexamined.waived.empty())
      reasons.push_back(fmt::format("not looked at: {} (waive it as \"{}\", with a reason)",
                                    unexamined.what, unexamined.key));
}

std::vector<std::string> obstacles(const Grounds& grounds) {
  std::vector<std::string> reasons;
  if (!grounds.failure.empty()) reasons.push_back(grounds.failure);
  add_control_reasons(grounds, reasons);
  add_observer_reasons(grounds, reasons);
  add_coverage_reasons(grounds, reasons);
  for (const auto& finding : grounds.findings)
    if (!stands(grounds, finding))
      reasons.push_back(fmt::format("\"{}\" could not be established: a control that it rests on "
                                    "did not hold",
                                    finding.what));
  return reasons;
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean: return "CLEAN";
    case Verdict::findings: return "FINDINGS";
    case Verdict::not_evidence: return "NOT EVIDENCE";
    case Verdict::interrupted: return "INTERRUPTED";
  }
  return "NOT EVIDENCE";
}

Judgement judge(const Grounds& grounds) {
  Judgement judgement;
  judgement.reasons_ = obstacles(grounds);
  judgement.interrupted_by_ = grounds.interrupted_by;
  const auto standing = std::count_if(grounds.findings.begin(), grounds.findings.end(),
                                      [&](const auto& finding) { return stands(grounds, finding); });
  if (grounds.interrupted_by != 0) {
    judgement.verdict_ = Verdict::interrupted;
    judgement.reasons_.insert(judgement.reasons_.begin(), "stopped by a signal before the end");
  } else if (standing > 0) {
    judgement.verdict_ = Verdict::findings;
    judgement.reasons_.insert(judgement.reasons_.begin(),
                              fmt::format("{} finding{} contradict{} the claim", standing,
                                          standing == 1 ? "" : "s", standing == 1 ? "s" : ""));
  } else if (judgement.reasons_.empty()) {
    judgement.verdict_ = Verdict::clean;
  }
  return judgement;
}

ExitStatus exit_status(const Judgement& judgement, bool reduced_assurance, Acceptance acceptance) {
  switch (judgement.verdict()) {
    case Verdict::clean:
      return reduced_assurance && !acceptance.reduced ? ExitStatus::not_evidence : ExitStatus::clean;
    case Verdict::findings:
      return acceptance.advisory ? ExitStatus::clean : ExitStatus::findings;
    case Verdict::not_evidence: return ExitStatus::not_evidence;
    case Verdict::interrupted:
      return judgement.interrupted_by() == SIGTERM ? ExitStatus::terminated : ExitStatus::interrupted;
  }
  return ExitStatus::not_evidence;
}

ExitStatus worst(ExitStatus a, ExitStatus b) {
  const auto rank = [](ExitStatus status) {
    switch (status) {
      case ExitStatus::terminated: return 5;
      case ExitStatus::interrupted: return 4;
      case ExitStatus::usage: return 3;
      case ExitStatus::findings: return 2;
      case ExitStatus::not_evidence: return 1;
      case ExitStatus::clean: return 0;
    }
    return 5;
  };
  return rank(a) >= rank(b) ? a : b;
}

}  // namespace telltale::evidence
