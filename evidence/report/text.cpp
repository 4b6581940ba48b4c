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
std::string status_line(const json& results, int status) {
  if (status == 0 && any_lane(results, "FINDINGS"))
    return "Exit status 0: there are FINDINGS, and --advisory asked not to fail for them.";
  if (status == 3 && !any_lane(results, "NOT EVIDENCE") && any_lane(results, "CLEAN"))
    return "Exit status 3: CLEAN, but under reduced assurance: this machine could not look "
           "everywhere (see \"What this run cannot say\"). --accept-reduced accepts that and exits "
           "0.";
  for (const auto& row : exit_status_table())
    if (row.number() == status)
      return fmt::format("Exit status {} ({}): {}.", status, row.name, row.meaning);
  return fmt::format("Exit status {}: not a status of this tool.", status);
}

void write_status(const json& results, Page& page) {
  const auto& status = member(results, "exit_status");
  if (!status.is_number_integer()) return;
  page.line();
  page.paragraph(status_line(results, status.get<int>()));
}

void write_file(const json& file, Page& page) {
  page.labelled(field(file, "role"), field(file, "path"), kLabel);
  page.labelled("sha256", field(file, "sha256"), kLabel);
  page.labelled("size", with_unit(member(file, "size_bytes"), "B"), kLabel);
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

void write_image(const json& image, Page& page) {
  page.labelled("image", field(image, "reference") + ", " + field(image, "platform"), kLabel);
  const auto manifest = field(image, "manifest_digest");
  page.labelled("manifest", manifest.empty() ? "none: of docker save" : manifest, kLabel);
  page.labelled("config", field(image, "config_digest"), kLabel);
}

void write_subject(const json& subject, Page& page) {
  page.heading("Subject");
  page.labelled("name", field(subject, "name"), kLabel);
  if (subject.contains("image")) write_image(member(subject, "image"), page);
  for (const auto& file : items(subject, "files")) write_file(file, page);
  if (!subject.contains("image")) write_source(member(subject, "source"), page);
}

void write_environment(const json& environment, const ReportOptions& options, Page& page) {
  const auto& given = items(environment, "given");
  const auto& removed = items(environment, "removed");
  if (options.verbose)
    for (const auto& each : given)
      page.labelled("given",
                    each.contains("inherited") ? field(each, "name") + " (inherited)"
                                               : field(each, "name") + "=" + field(each, "value"),
                    kLabel);
  else
    page.labelled("environment",
                  fmt::format("{} variable{} given (-v lists them)", given.size(),
                              given.size() == 1 ? "" : "s"),
                  kLabel);
  if (!removed.empty()) page.labelled("taken out", joined(removed), kLabel);
}

void write_host(const json& host, Page& page) {
  page.heading("Host");
  page.labelled("processor",
                fmt::format("{}, {} core{}, {}", field(host, "cpu"), shown(member(host, "cores")),
                            member(host, "cores") == 1 ? "" : "s", field(host, "architecture")),
                kLabel);
  page.labelled("memory", with_unit(member(host, "memory_bytes"), "B"), kLabel);
  page.labelled("system", field(host, "os") + ", Linux " + field(host, "kernel"), kLabel);
  page.labelled("virtual", field(host, "virtualization"), kLabel);
  page.labelled("load",
                fmt::format("{} at the start, {} at the end{}", shown(member(host, "load_start")),
                            shown(member(host, "load_end")),
                            flag(host, "busy") ? "; BUSY HOST: the timings above are suspect" : ""),
                kLabel);
}

void write_run(const json& results, Page& page) {
  const auto& tool = member(results, "tool");
  const auto& times = member(results, "times");
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

void write_words(Page& page) {
  page.rule("the words");
  constexpr std::size_t kWord = 12;
  for (const auto& row : exit_status_table())
    if (row.status != ExitStatus::usage && row.status != ExitStatus::terminated)
      page.labelled(row.name, row.meaning, kWord);
  page.labelled("bounds", "what was looked at, and for how long; a verdict says nothing beyond",
                kWord);
  page.labelled("control",
                "a thing whose answer is known, put before the same observer in the same run: "
                "an observer that misses it cannot vouch for anything",
                kWord);
  page.labelled("observer", "something that watches the subject in one way", kWord);
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
    write_subject(member(results, "subject"), page);
    write_environment(member(results, "environment"), options, page);
    write_host(member(results, "host"), page);
    write_run(results, page);
    write_words(page);
  }
};

}  // namespace

const ReportFormat& text_report() {
  static const TextReport report;
  return report;
}

}  // namespace telltale::evidence
