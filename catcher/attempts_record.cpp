#include "catcher/attempts_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "catcher/tls/payload_rows.hpp"
#include "evidence/json_lines.hpp"

namespace telltale::catcher {

namespace {

nlohmann::json to_json(const Attempt& attempt) {
  return {{"destination", attempt.destination()},
          {"host", attempt.host},
          {"port", attempt.port},
          {"protocol", attempt.protocol},
          {"executable", attempt.executable},
          {"party", attempt.party},
          {"processes", attempt.pids},
          {"observers", attempt.observers},
          {"launches", attempt.launches},
          {"phases", attempt.phases},
          {"requests", attempt.requests},
          {"header_names", attempt.header_names},
          {"said", attempt.said},
          {"addresses", attempt.addresses},
          {"inside_tls", tls_payload_of(attempt)},
          {"answered_by", attempt.answered_by},
          {"payload", attempt.payload},
          {"bytes", attempt.bytes},
          {"times", attempt.count},
          {"first", evidence::rfc3339(attempt.first)},
          {"last", evidence::rfc3339(attempt.last)}};
}

// Lines of attempts.jsonl; without a folder they go nowhere.
class AttemptLines {
 public:
  Result<> open(subject::LaneContext& context) {
    if (context.folder == nullptr) return {};
    const auto folder = context.folder->lane("egress");
    if (!folder) return pass_on(folder.error());
    auto lines = evidence::JsonLines::create(*folder / "attempts.jsonl", &context.masker);
    if (!lines) return pass_on(std::move(lines.error()));
    lines_.emplace(std::move(*lines));
    return {};
  }

  void append(const Attempt& attempt, bool deliberate, const std::string& allowed,
              const std::string& difference) {
    if (!lines_) return;
    auto line = to_json(attempt);
    line["deliberate"] = deliberate;
    line["allowed"] = allowed;
    line["launches_differ"] = difference;
    lines_->append(line);
  }

  Result<> finish() {
    if (!lines_) return {};
    const auto written = lines_->finish();
    return written ? Result<>() : pass_on(written.error());
  }

 private:
  std::optional<evidence::JsonLines> lines_;
};

// By host and port, or by the host alone; a companion's also by its name.
std::optional<std::string> allowed(const Attempt& attempt, subject::LaneContext& context) {
  auto reason = context.allow.covers(attempt.destination());
  if (!reason) reason = context.allow.covers(attempt.host);
  if (reason || attempt.party.empty()) return reason;
  auto key = attempt.party;  // "companion db"
  std::replace(key.begin(), key.end(), ' ', ':');
  return context.waivers.covers(key);
}

}  // namespace

Result<> record_attempts(const RunAttempts& attempts, const LaunchComparison& comparison,
                         subject::LaneContext& context, evidence::LaneRecord& record) {
  AttemptLines lines;
  if (auto opened = lines.open(context); !opened) return opened;
  std::int64_t count_allowed = 0;
  auto& findings = record.grounds.findings;
  for (const auto& attempt : attempts.counted) {
    const auto reason = allowed(attempt, context);
    const auto difference = comparison.of(attempt);
    lines.append(attempt, false, reason.value_or(""), difference);
    if (reason) {
      ++count_allowed;
      continue;
    }
    findings.push_back(to_finding(attempt, findings.size() + 1));
    if (!difference.empty()) findings.back().details.emplace_back("launches differ", difference);
  }
  for (const auto& attempt : attempts.browsers_own)
    lines.append(attempt, false, "the browser's own", "");
  for (const auto& attempt : attempts.deliberate) lines.append(attempt, true, "", "");
  record.rows.insert(
      record.rows.begin(),
      {{"attempts", static_cast<std::int64_t>(findings.size()), "", "destinations, by program"},
       {"attempts allowed", count_allowed, "", "by `allow:`, each with its reason"}});
  const auto compared = comparison.rows();
  record.rows.insert(record.rows.end(), compared.begin(), compared.end());
  return lines.finish();
}

}  // namespace telltale::catcher
