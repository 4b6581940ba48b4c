#include "canary/cipher_record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "canary/plant.hpp"
#include "canary/search_evidence.hpp"
#include "evidence/characters.hpp"
#include "evidence/counted.hpp"

namespace telltale::canary {

namespace {

constexpr std::size_t kFilesListed = 20;
constexpr const char* kOutput = "what it printed";

const Pattern& pattern_of(const Hit& hit, const StoreRun& run) {
  return run.search.patterns[hit.pattern];
}

bool exempt(const Hit& hit, const StoreRun& run) {
  return pattern_of(hit, run).kind == Kind::key &&
         std::find(run.handed_over.begin(), run.handed_over.end(), hit.path) !=
             run.handed_over.end();
}

void require(evidence::Control control, evidence::LaneRecord& record) {
  record.grounds.required_controls.push_back(control.name);
  record.grounds.controls.push_back(std::move(control));
}

// --- controls ------------------------------------------------------------------------------------

void add_read_back(const StoreRun& run, evidence::LaneRecord& record) {
  for (std::size_t i = 0; i < run.canaries.size(); ++i)
    require(
        {fmt::format("{}: canary {} read back", run.name, i + 1), "", evidence::Polarity::positive,
         "the program's own API gives the written value back before the stop",
         run.read_back[i] ? "given back" : "not given back: nothing shows that it was written",
         run.read_back[i]},
        record);
}

void add_search_controls(const StoreRun& run, evidence::LaneRecord& record) {
  for (auto control : run.search.controls) {
    control.name = run.name + ": " + control.name;
    record.grounds.controls.push_back(std::move(control));
  }
  for (const auto& name : required_controls())
    record.grounds.required_controls.push_back(run.name + ": " + name);
}

std::string data_seen(const StoreRun& run) {
  auto text = evidence::counted(run.data_files, "file");
  for (const auto& empty : run.empty_data) text += "; " + evidence::visible(empty);
  return text;
}

// --- findings ------------------------------------------------------------------------------------

evidence::Finding finding_in_output(const OutputHit& hit, const StoreRun& run) {
  const auto& pattern = run.patterns[hit.pattern];
  evidence::Finding finding;
  finding.what = fmt::format("{} is readable in {}", pattern.value_name(), kOutput);
  finding.where = kOutput;
  finding.seen_by = {kObserver};
  finding.first = run.search.started;
  finding.last = run.search.ended;
  finding.details = {{"form", pattern.form},
                     {"times", std::to_string(hit.count)},
                     {"offsets", std::to_string(hit.first)}};
  return finding;
}

void add_findings(const StoreRun& run, evidence::LaneRecord& record) {
  auto judged = run.search;
  judged.hits.erase(std::remove_if(judged.hits.begin(), judged.hits.end(),
                                   [&](const Hit& hit) { return exempt(hit, run); }),
                    judged.hits.end());
  auto found = findings_of(judged);
  for (const auto& hit : run.output) found.push_back(finding_in_output(hit, run));
  for (auto& finding : found) {
    finding.id = fmt::format("cipher-{}", record.grounds.findings.size() + 1);
    finding.details.emplace_back("run", run.name);
    record.grounds.findings.push_back(std::move(finding));
  }
}

// --- rows ----------------------------------------------------------------------------------------

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (std::size_t i = 0; i < std::min(paths.size(), kFilesListed); ++i)
    text += (i == 0 ? "" : ", ") + evidence::visible(paths[i]);
  if (paths.size() > kFilesListed) text += fmt::format(" and {} more", paths.size() - kFilesListed);
  return text;
}

void add_end(const StoreRun& run, evidence::LaneRecord& record) {
  const auto& stop = run.stop;
  std::string note = "it stopped when it was asked to";
  if (stop.exited_by_itself) note = "by itself, before it was asked to stop";
  if (stop.killed) note = "it did not stop within the grace period and was killed";
  record.rows.emplace_back(run.name + ": ended with", stop.exit.text(), "", note);
}

void add_rows(const StoreRun& run, evidence::LaneRecord& record) {
  const auto named = [&](const std::string& name) { return run.name + ": " + name; };
  const auto count = [&](const char* name, std::uint64_t value, const char* unit,
                         std::string note) {
    record.rows.emplace_back(named(name), static_cast<std::int64_t>(value), unit, std::move(note));
  };
  for (const auto& row : rows_of(run.search))
    record.rows.emplace_back(named(row.name()), row.value(), row.unit(), row.note());
  count("files in the data folder", run.data_files, "", "");
  count("files outside the data folder", run.outside.size(), "",
        run.outside.empty() ? "" : "searched too: " + listed(run.outside));
  count("files changed in shared folders", run.stray_files, "",
        run.stray_files_cut ? "of /tmp, /var/tmp and /dev/shm, too many to look at all"
                            : "in /tmp, /var/tmp and /dev/shm, by anybody; searched for canaries");
  count("output searched", run.output_bytes, "B", "");
  add_end(run, record);
  if (!run.handed_over.empty())
    count("files that this tool wrote for it", run.handed_over.size(), "",
          "the key may stand in them: " + listed(run.handed_over));
}

}  // namespace

evidence::LaneRecord begin_cipher_record() {
  evidence::LaneRecord record;
  record.lane = "cipher";
  record.claim = "no written value is readable in what it leaves on the disk";
  record.grounds.examined_unit = "files with content";
  record.limits = search_limits();
  record.limits.push_back(
      {"files written outside the data folder, the work folder, HOME and TMPDIR "
       "were looked for in /tmp, /var/tmp and /dev/shm alone, and there for the canaries"});
  record.limits.push_back(
      {"no readable value is not proof of good encryption: the cipher itself was "
       "not examined"});
  return record;
}

bool stopped_in_order(const StoreRun& run) {
  const auto& stop = run.stop;
  if (stop.killed || !stop.left.empty()) return false;
  if (stop.exited_by_itself) return stop.exit.clean();
  // Without a handler of its own a program ends by the very signal that asks it to.
  return stop.exit.signal == 0 || stop.exit.signal == run.stop_signal;
}

bool exposes_canary(const StoreRun& run) {
  const auto is_canary = [](const Pattern& pattern) { return pattern.kind == Kind::canary; };
  return std::any_of(run.search.hits.begin(), run.search.hits.end(),
                     [&](const Hit& hit) { return is_canary(pattern_of(hit, run)); }) ||
         std::any_of(run.output.begin(), run.output.end(),
                     [&](const OutputHit& hit) { return is_canary(run.patterns[hit.pattern]); });
}

void add_keyed_run(const StoreRun& run, evidence::LaneRecord& record) {
  record.grounds.examined += run.search.counts.with_content;
  add_read_back(run, record);
  require(
      {run.name + ": data folder", "", evidence::Polarity::positive, "each of `data:` holds files",
       data_seen(run), run.data_files > 0 && run.empty_data.empty()},
      record);
  add_search_controls(run, record);
  auto observer = observer_of(run.search);
  observer.name = kObserver;
  record.grounds.observers.push_back(std::move(observer));
  add_findings(run, record);
  for (auto& unexamined : unexamined_of(run.search))
    record.grounds.unexamined.push_back(std::move(unexamined));
  add_rows(run, record);
  const char* after = stopped_in_order(run)
                          ? "the store was searched after a clean stop: what was removed again "
                            "before it was not seen"
                          : "the subject did not stop in order: its store was searched as it was "
                            "left, and a clean stop may leave another one";
  const auto known = std::any_of(record.limits.begin(), record.limits.end(),
                                 [&](const auto& limit) { return limit.what == after; });
  if (!known) record.limits.push_back({after});
  record.tables.push_back(header_table_of(run.search));
}

void add_control_run(const StoreRun& run, evidence::LaneRecord& record) {
  for (std::size_t i = 0; i < std::max<std::size_t>(run.canaries.size(), 1); ++i) {
    evidence::Control control{fmt::format("{}: canary {} found", run.name, i + 1),
                              kObserver,
                              evidence::Polarity::positive,
                              "found in the files of the unencrypted run",
                              "",
                              false};
    const auto hit =
        std::find_if(run.search.hits.begin(), run.search.hits.end(), [&](const Hit& one) {
          const auto& pattern = pattern_of(one, run);
          return pattern.kind == Kind::canary && pattern.number == i + 1;
        });
    control.held = hit != run.search.hits.end();
    if (!run.refusal.empty())
      control.observed = (run.never_started ? "the control run could not be started: "
                                            : "the control run refused: ") +
                         run.refusal;
    else
      control.observed = control.held ? "found in " + evidence::visible(hit->where()) : "not found";
    require(std::move(control), record);
  }
  if (run.refusal.empty()) add_end(run, record);
}

void add_decryption(const StoreRun& run, evidence::LaneRecord& record) {
  for (std::size_t i = 0; i < run.canaries.size(); ++i) {
    const bool held = i < run.decrypted.size() && run.decrypted[i];
    const auto why = run.decrypt_failure.empty() ? "" : ": " + run.decrypt_failure;
    require({fmt::format("decrypt: canary {}", i + 1), kObserver, evidence::Polarity::positive,
             "the decrypting command prints the written value",
             held ? "printed" : "not printed" + why, held},
            record);
  }
  record.limits.push_back(
      {"the control is a command that decrypts: no run left a value readable in a file, so nothing "
       "shows of any class of file that one would be seen there"});
}

std::string hits_jsonl(const StoreRun& run) {
  std::string lines;
  for (const auto& hit : run.search.hits) {
    const auto& pattern = pattern_of(hit, run);
    lines += nlohmann::json{{"run", run.name},           {"value", pattern.value_name()},
                            {"form", pattern.form},      {"where", evidence::visible(hit.where())},
                            {"times", hit.count},        {"offsets", hit.offsets},
                            {"exempt", exempt(hit, run)}}
                 .dump() +
             "\n";
  }
  return lines;
}

}  // namespace telltale::canary
