#include "evidence/lane_result.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace telltale::evidence {

namespace {

// The claim itself must not stand behind FINDINGS as if it held.
std::string findings_headline(const LaneRecord& record, const std::string& bounds) {
  const auto& findings = record.grounds.findings;
  const auto count = std::count_if(findings.begin(), findings.end(), [&](const auto& finding) {
    return stands(record.grounds, finding);
  });
  return fmt::format("FINDINGS: {} contradict{} \"{}\"{}",
                     count == 1 ? "1 finding" : fmt::format("{} findings", count),
                     count == 1 ? "s" : "", record.claim, bounds);
}

}  // namespace

std::string LaneResult::headline() const {
  auto bounds = record_.bounds;
  if (record_.assurance.reduced)
    bounds += bounds.empty() ? "reduced assurance" : "; reduced assurance";
  if (!bounds.empty()) bounds = fmt::format(" ({})", bounds);
  const auto& first_reason =
      judgement_.reasons().empty() ? record_.claim : judgement_.reasons().front();
  switch (judgement_.verdict()) {
    case Verdict::clean:
      return fmt::format("CLEAN: {}{}", record_.claim, bounds);
    case Verdict::findings:
      return findings_headline(record_, bounds);
    case Verdict::interrupted:
      return fmt::format("INTERRUPTED: stopped before it could say that {}{}", record_.claim,
                         bounds);
    case Verdict::not_evidence:
      break;
  }
  return fmt::format("NOT EVIDENCE: this run cannot say that {}{}: {}", record_.claim, bounds,
                     first_reason);
}

LaneResult conclude(LaneRecord record) {
  if (!record.grounds.failure.empty()) {
    record.rows.clear();
    record.tables.clear();
  }
  auto judgement = judge(record.grounds);
  return LaneResult(std::move(record), std::move(judgement));
}

}  // namespace telltale::evidence
