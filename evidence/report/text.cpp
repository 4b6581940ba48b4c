#include "evidence/report/text.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "evidence/exit_status.hpp"
#include "evidence/report/lane_text.hpp"
#include "evidence/report/page.hpp"

namespace telltale::evidence {

namespace {

using nlohmann::json;

constexpr std::size_t kLabel = 11;

void write_headlines(const json& results, Page& page) {
  if (!flag(results, "finished"))
    page.marked(Ink::bad, "UNFINISHED",
                "UNFINISHED: the run was stopped; what follows is what was seen so far.");
  const auto& lanes = items(results, "lanes");
  if (lanes.empty())
    page.marked(Ink::doubtful, "NOT EVIDENCE",
                "NOT EVIDENCE: no lane was run, nothing was examined.");
  for (const auto& lane : lanes)
    page.marked(ink_of(field(lane, "verdict")), field(lane, "verdict"), field(lane, "headline"),
                lanes.size() == 1 ? "" : fmt::format("{:<8}", field(lane, "lane")));
}

bool any_lane(const json& results, std::string_view verdict) {
  for (const auto& lane : items(results, "lanes"))
    if (field(lane, "verdict") == verdict) return true;
  return false;
}

// Why the status is what it is, where the table's one line would puzzle.
std::string status_meaning(const json& results, int status) {
  if (status == 0 && any_lane(results, "FINDINGS"))
    return "there are FINDINGS, and --advisory asked not to fail for them.";
  if (status == 3 && !any_lane(results, "NOT EVIDENCE") && any_lane(results, "CLEAN"))
    return "CLEAN, but under reduced assurance: this machine could not look everywhere (see \"What "
           "this run cannot say\"). --accept-reduced accepts that and exits 0.";
  for (const auto& row : exit_status_table())
    if (row.number() == status) return fmt::format("{}: {}.", row.name, row.meaning);
  return "not a status of this tool.";
}

void write_status(const json& results, Page& page) {
  const auto found = results.find("exit_status");
  if (found == results.end() || !found->is_number_integer()) return;
  const auto status = found->get<int>();
  page.line();
  page.paragraph(fmt::format("Exit status {}: {}", status, status_meaning(results, status)));
}

void write_file(const json& file, Page& page) {
  page.labelled(field(file, "role"), field(file, "path"), kLabel);
  page.labelled("", "sha256 " + field(file, "sha256"), 0);
  page.labelled("", with_unit(file.value("size_bytes", json(0)), "B"), kLabel);
}

void write_source(const json& source, Page& page) {
  const auto path = field(source, "path");
  const auto commit = field(source, "commit");
  if (path.empty()) return page.labelled("source", "not known", kLabel);
  page.labelled("source", path, kLabel);
  if (commit.empty())
    return page.labelled("", "no checkout there: which source this is, is not known", kLabel);
  const auto remote = field(source, "remote");
  page.labelled("", remote.empty() ? "no remote" : remote, kLabel);
  page.labelled("", "commit " + commit + (flag(source, "dirty") ? ", with changes" : ""), kLabel);
}

void write_subject(const json& subject, Page& page) {
  page.heading("Subject");
  page.labelled("name", field(subject, "name"), kLabel);
  for (const auto& file : items(subject, "files")) write_file(file, page);
  write_source(subject.value("source", json::object()), page);
}

void write_environment(const json& environment, const ReportOptions& options, Page& page) {
  const auto& given = items(environment, "given");
  const auto& removed = items(environment, "removed");
  if (options.verbose)
    for (const auto& each : given)
      page.labelled("given", field(each, "name") + "=" + field(each, "value"), kLabel);
  else
    page.labelled("environment",
                  fmt::format("{} variable{} given (-v lists them)", given.size(),
                              given.size() == 1 ? "" : "s"),
                  kLabel);
  if (!removed.empty()) page.labelled("taken out", joined(removed), kLabel);
}

void write_host(const json& host, Page& page) {
  page.heading("Host");
  page.labelled(
      "processor",
      fmt::format("{}, {} core{}, {}", field(host, "cpu"), shown(host.value("cores", json())),
                  host.value("cores", json()) == 1 ? "" : "s", field(host, "architecture")),
      kLabel);
  page.labelled("memory", with_unit(host.value("memory_bytes", json(0)), "B"), kLabel);
  page.labelled("system", field(host, "os") + ", Linux " + field(host, "kernel"), kLabel);
  page.labelled("virtual", field(host, "virtualization"), kLabel);
  page.labelled(
      "load",
      fmt::format("{} at the start, {} at the end{}", shown(host.value("load_start", json())),
                  shown(host.value("load_end", json())),
                  flag(host, "busy") ? "; BUSY HOST: the timings above are suspect" : ""),
      kLabel);
}

void write_run(const json& results, Page& page) {
  const auto tool = results.value("tool", json::object());
  const auto times = results.value("times", json::object());
  page.heading("Run");
  page.labelled("tool",
                fmt::format("{} {}, commit {}", field(tool, "name"), field(tool, "version"),
                            field(tool, "commit")),
                kLabel);
  page.labelled("time", moment(field(times, "started")) + " to " + moment(field(times, "ended")),
                kLabel);
  const auto folder = field(results, "evidence_folder");
  page.labelled("evidence",
                folder.empty() ? "none was kept; --out DIR keeps it"
                               : folder +
                                     ": results.json, and what each lane saw. raw/ may hold "
                                     "what the subject leaked: do not share it.",
                kLabel);
}

class TextReport final : public ReportFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "text"; }
  [[nodiscard]] std::string_view description() const override {
    return "for a person (the default)";
  }
  void write(const json& results, const ReportOptions& options, std::ostream& out) const override {
    Page page(out, options.color);
    write_headlines(results, page);
    write_status(results, page);
    for (const auto& lane : items(results, "lanes")) write_lane(lane, options, page);
    page.rule("what was measured, where");
    write_subject(results.value("subject", json::object()), page);
    write_environment(results.value("environment", json::object()), options, page);
    write_host(results.value("host", json::object()), page);
    write_run(results, page);
  }
};

}  // namespace

const ReportFormat& text_report() {
  static const TextReport report;
  return report;
}

}  // namespace telltale::evidence
