#include "evidence/report/lane_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evidence/characters.hpp"

namespace telltale::evidence {

namespace {

using nlohmann::json;

constexpr std::size_t kTableRows = 25;  // shown without -v

void write_list(const json& sentences, Page& page) {
  for (const auto& sentence : sentences) page.paragraph(shown(sentence), "  - ");
}

void write_question(const json& lane, Page& page) {
  constexpr std::size_t kLabel = 8;
  const auto& examined = member(lane, "examined");
  page.labelled("claim", field(lane, "claim"), kLabel);
  page.labelled("bounds", field(lane, "bounds"), kLabel);
  page.labelled("examined", with_unit(member(examined, "count"), field(examined, "unit")), kLabel);
  page.labelled("time", moment(field(lane, "started")) + " to " + moment(field(lane, "ended")),
                kLabel);
}

void write_reasons(const json& lane, Page& page) {
  const auto& reasons = items(lane, "reasons");
  if (reasons.empty()) return;
  page.heading("Why it is not CLEAN");
  write_list(reasons, page);
}

std::string when(const json& finding) {
  const auto first = field(finding, "first");
  const auto last = field(finding, "last");
  if (first.empty() || first == last || last.empty()) return first;
  return first + " to " + last;
}

void write_finding(const json& finding, Page& page) {
  const bool stands = flag(finding, "stands");
  page.paragraph(field(finding, "what"), fmt::format("  {}  ", field(finding, "id")));
  const auto detail = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) page.paragraph(value, fmt::format("    {}: ", name));
  };
  if (!stands)
    page.paragraph(fmt::format("not established: it rests on {}, which did not hold",
                               joined(items(finding, "rests_on"))),
                   "    ");
  detail("where", field(finding, "where"));
  detail("seen by", joined(items(finding, "seen_by")));
  detail("when", when(finding));
  for (const auto& each : items(finding, "details"))
    detail(field(each, "name"), field(each, "value"));
}

void write_findings(const json& lane, Page& page) {
  const auto& findings = items(lane, "findings");
  if (findings.empty()) return;
  page.heading("Findings");
  for (const auto& finding : findings) write_finding(finding, page);
}

void write_rows(const json& lane, Page& page) {
  const auto& rows = items(lane, "rows");
  if (rows.empty()) return;
  page.heading("Figures");
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, columns(field(row, "name")));
  for (const auto& row : rows) {
    auto value = with_unit(member(row, "value"), field(row, "unit"));
    if (const auto note = field(row, "note"); !note.empty()) value += ": " + note;
    page.labelled(field(row, "name"), value, std::min<std::size_t>(width, 34));
  }
}

void write_table(const json& table, const ReportOptions& options, Page& page) {
  page.heading(field(table, "title"));
  std::vector<std::string> heads;
  for (const auto& head : items(table, "columns")) heads.push_back(shown(head));
  const auto& rows = items(table, "rows");
  const auto count = options.verbose ? rows.size() : std::min(rows.size(), kTableRows);
  std::vector<std::vector<std::string>> cells(count);
  for (std::size_t i = 0; i < count; ++i)
    for (const auto& cell : rows[i].is_array() ? rows[i] : json::array())
      cells[i].push_back(shown(cell));
  page.table(heads, cells);
  if (count < rows.size())
    page.line(fmt::format("  ... and {} more (-v shows them)", rows.size() - count));
  if (const auto note = field(table, "note"); !note.empty()) page.paragraph(note, "  ");
}

void write_control(const json& control, Page& page) {
  const bool held = flag(control, "held");
  const std::string word = held ? "held" : "BROKEN";
  page.marked(held ? Ink::good : Ink::bad, word, field(control, "name"),
              fmt::format("  {:<6}  ", word));
  page.paragraph(field(control, "expected"), "          expected: ");
  page.paragraph(field(control, "observed"), "          observed: ");
}

void write_controls(const json& lane, Page& page) {
  page.heading("Controls: what must be seen (or refused) if this run can see at all");
  for (const auto& control : items(lane, "controls")) write_control(control, page);
  for (const auto& name : items(lane, "controls_missing"))
    page.marked(Ink::bad, "ABSENT", shown(name) + " (required, and it did not run)", "  ABSENT  ");
  if (items(lane, "controls").empty() && items(lane, "controls_missing").empty())
    page.line("  none");
}

std::string state_of(const json& observer) {
  if (const auto failure = field(observer, "failure"); !failure.empty())
    return "FAILED: " + failure;
  if (field(observer, "started").empty()) return "never started";
  if (field(observer, "ended").empty()) return "did not run to the end";
  return fmt::format("ran to the end, {} records lost", shown(member(observer, "lost")));
}

std::string miss_rate(const json& observer) {
  const auto& rate = member(observer, "miss_rate");
  const auto basis = field(observer, "miss_rate_basis");
  if (!rate.is_number()) return field(observer, "role") == "proof" ? "" : "not measured";
  return fmt::format("{:.1f} %{}", rate.get<double>() * 100, basis.empty() ? "" : ": " + basis);
}

void write_observers(const json& lane, Page& page) {
  const auto& observers = items(lane, "observers");
  if (observers.empty()) return;
  page.heading("Observers: who looked (a verdict rests on proof; corroboration may miss)");
  for (const auto& observer : observers) {
    page.paragraph(fmt::format("{} ({}): {}", field(observer, "name"), field(observer, "role"),
                               state_of(observer)),
                   "  ");
    const auto detail = [&](const char* name, const std::string& value) {
      if (!value.empty()) page.paragraph(value, fmt::format("    {}: ", name));
    };
    detail("sees", field(observer, "sees"));
    detail("cannot see", field(observer, "misses"));
    detail("missed of its own stimuli", miss_rate(observer));
  }
}

void write_unexamined(const json& lane, Page& page) {
  const auto& unexamined = items(lane, "unexamined");
  if (unexamined.empty()) return;
  page.heading("Not looked at");
  for (const auto& each : unexamined) {
    const auto waived = field(each, "waived");
    page.paragraph(
        field(each, "what") +
            (waived.empty() ? fmt::format(": blocks CLEAN (key \"{}\")", field(each, "key"))
                            : fmt::format(": waived (\"{}\"): {}", field(each, "key"), waived)),
        "  - ");
  }
}

void write_waivers(const json& lane, const ReportOptions& options, Page& page) {
  std::vector<std::string> lines;
  for (const auto& waiver : items(lane, "waivers")) {
    const bool used = flag(waiver, "used");
    const bool expired = flag(waiver, "expired");
    if (!used && !expired && !options.verbose) continue;
    const auto until = field(waiver, "until");
    lines.push_back(fmt::format("\"{}\", {}{}: {}", field(waiver, "what"),
                                expired ? "EXPIRED"
                                : used  ? "used"
                                        : "not needed",
                                until.empty() ? "" : " (until " + until + ")",
                                field(waiver, "reason")));
  }
  if (lines.empty()) return;
  page.heading("Waived or allowed, by subject.yaml or the command line");
  for (const auto& line : lines) page.paragraph(line, "  - ");
}

void write_skipped(const json& lane, Page& page) {
  const auto& skipped = items(lane, "skipped");
  if (skipped.empty()) return;
  page.heading("Left out on purpose");
  for (const auto& each : skipped)
    page.paragraph(field(each, "what") + ": " + field(each, "reason"), "  - ");
}

void write_limits(const json& lane, Page& page) {
  const auto& assurance = member(lane, "assurance");
  const auto& unseen = items(assurance, "unseen");
  const auto& limits = items(lane, "limits");
  if (unseen.empty() && limits.empty()) return;
  page.heading("What this run cannot say");
  write_list(limits, page);
  if (unseen.empty()) return;
  page.paragraph(flag(assurance, "reduced")
                     ? "Reduced assurance: nothing in this run could see these ways:"
                     : "Nothing in this run could see these ways:",
                 "  ");
  write_list(unseen, page);
}

}  // namespace

Ink ink_of(std::string_view verdict) {
  if (verdict == "CLEAN") return Ink::good;
  return verdict == "FINDINGS" ? Ink::bad : Ink::doubtful;
}

void write_lane(const json& lane, const ReportOptions& options, Page& page) {
  page.rule(field(lane, "lane"));
  write_question(lane, page);
  write_reasons(lane, page);
  write_findings(lane, page);
  write_rows(lane, page);
  for (const auto& table : items(lane, "tables")) write_table(table, options, page);
  write_controls(lane, page);
  write_observers(lane, page);
  write_unexamined(lane, page);
  write_waivers(lane, options, page);
  write_skipped(lane, page);
  write_limits(lane, page);
}

}  // namespace telltale::evidence
