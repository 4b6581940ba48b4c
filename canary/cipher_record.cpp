#include "canary/cipher_record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "canary/plant.hpp"
#include "canary/search.hpp"
#include "evidence/characters.hpp"

namespace telltale::canary {

namespace {

constexpr std::size_t kFilesListed = 20;

bool is_canary(const Pattern& pattern) {
  return pattern.kind == Kind::canary;
}

const Pattern& pattern_of(const Hit& hit, const StoreRun& run) {
  return run.search.patterns[hit.pattern];
}

// The key in a file that this tool wrote for the program is how the key was handed over.
bool exempt(const Hit& hit, const StoreRun& run) {
  return pattern_of(hit, run).kind == Kind::key &&
         std::find(run.handed_over.begin(), run.handed_over.end(), hit.path) !=
             run.handed_over.end();
}

void require(evidence::Control control, evidence::LaneRecord& record) {
  record.grounds.required_controls.push_back(control.name);
  record.grounds.controls.push_back(std::move(control));
}

std::string where_of(const Hit& hit, const StoreRun& run) {
  auto whole = hit;
  whole.path = shown(hit.path, run);
  return whole.where();
}

// --- findings ------------------------------------------------------------------------------------

struct Exposure {
  std::vector<std::string> forms;
  std::uint64_t count = 0;
  std::uint64_t first = 0;
};

evidence::Finding finding(const std::string& value, const std::string& where,
                          const Exposure& exposure, const StoreRun& run,
                          const evidence::LaneRecord& record) {
  evidence::Finding found;
  found.id = fmt::format("cipher-{}", record.grounds.findings.size() + 1);
  found.what = fmt::format("{} is readable in {}", value, where);
  found.where = where;
  found.seen_by = {kObserver};
  found.first = run.search.started;
  found.last = run.search.ended;
  std::string forms;
  for (const auto& form : exposure.forms) forms += forms.empty() ? form : ", " + form;
  found.details = {{"run", run.name},
                   {"form", forms},
                   {"times", fmt::format("{}", exposure.count)},
                   {"first offset", fmt::format("{:#x}", exposure.first)}};
  return found;
}

void add_findings(const StoreRun& run, evidence::LaneRecord& record) {
  std::map<std::pair<std::string, std::string>, Exposure> exposures;  // by place and value
  const auto add = [&](const Pattern& pattern, const std::string& where, std::uint64_t count,
                       std::uint64_t first) {
    auto& exposure = exposures[{where, pattern.value_name()}];
    if (exposure.count == 0) exposure.first = first;
    exposure.forms.push_back(pattern.form);
    exposure.count += count;
    exposure.first = std::min(exposure.first, first);
  };
  for (const auto& hit : run.search.hits)
    if (!exempt(hit, run))
      add(pattern_of(hit, run), where_of(hit, run), hit.count,
          hit.offsets.empty() ? 0 : hit.offsets.front());
  for (const auto& hit : run.output)
    add(run.patterns[hit.pattern], "what it printed", hit.count, hit.first);
  for (const auto& [key, exposure] : exposures)
    record.grounds.findings.push_back(finding(key.second, key.first, exposure, run, record));
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

void add_observer(const StoreRun& run, evidence::LaneRecord& record) {
  evidence::ObserverRecord observer;
  observer.name = kObserver;
  observer.sees = "every file, name, link target and extended attribute, whole values";
  observer.misses = "values that were encoded, compressed (but for gzip), or cut apart";
  observer.started = run.search.started;
  observer.ended = run.search.ended;
  record.grounds.observers.push_back(std::move(observer));
}

void add_unseen(const StoreRun& run, evidence::LaneRecord& record) {
  for (const auto& unseen : run.search.unseen) {
    const auto path = shown(unseen.path, run);
    record.grounds.unexamined.push_back({"file:" + path, path + " " + unseen.why, ""});
  }
}

// --- rows ----------------------------------------------------------------------------------------

std::string listed(const std::vector<std::string>& paths, const StoreRun& run) {
  std::string text;
  for (std::size_t i = 0; i < std::min(paths.size(), kFilesListed); ++i)
    text += (i == 0 ? "" : ", ") + shown(paths[i], run);
  if (paths.size() > kFilesListed) text += fmt::format(" and {} more", paths.size() - kFilesListed);
  return text;
}

void add_rows(const StoreRun& run, evidence::LaneRecord& record) {
  const auto& counts = run.search.counts;
  const auto row = [&](const char* name, std::uint64_t value, const char* unit = "",
                       std::string note = {}) {
    record.rows.emplace_back(fmt::format("{}: {}", run.name, name),
                             static_cast<std::int64_t>(value), unit, std::move(note));
  };
  row("files searched", counts.files, "",
      fmt::format("{} of them in the data folder", run.data_files));
  row("bytes read", counts.read, "B");
  row("bytes in holes", counts.holes, "B");
  row("bytes unpacked", counts.decoded, "B");
  row("bytes of output searched", run.output_bytes, "B");
  row("not readable", run.search.unseen.size());
  row("files outside the data folder", run.outside.size(), "",
      run.outside.empty() ? "" : "searched too: " + listed(run.outside, run));
  if (!run.handed_over.empty())
    row("files that handed the key over", run.handed_over.size(), "",
        "written by this tool, exempt for the key: " + listed(run.handed_over, run));
}

}  // namespace

evidence::LaneRecord begin_cipher_record() {
  evidence::LaneRecord record;
  record.lane = "cipher";
  record.claim = "no written value is readable in what it leaves on the disk";
  record.grounds.examined_unit = "files searched";
  record.limits = {
      {"the store was searched after a clean stop: memory, swap, deleted files that were still "
       "open "
       "and what was removed again before the stop were not seen"},
      {"a value that was encoded, cut apart or compressed otherwise than by gzip was not looked "
       "for"},
      {"no readable value is not proof of good encryption: the cipher itself was not examined"}};
  return record;
}

std::string shown(const std::string& path, const StoreRun& run) {
  const auto work = run.work.string();
  if (!work.empty() && path.compare(0, work.size(), work) == 0)
    return "${work}" + evidence::visible(path.substr(work.size()));
  return evidence::visible(path);
}

bool exposes_canary(const StoreRun& run) {
  return std::any_of(run.search.hits.begin(), run.search.hits.end(),
                     [&](const Hit& hit) { return is_canary(pattern_of(hit, run)); }) ||
         std::any_of(run.output.begin(), run.output.end(),
                     [&](const OutputHit& hit) { return is_canary(run.patterns[hit.pattern]); });
}

void add_keyed_run(const StoreRun& run, evidence::LaneRecord& record) {
  record.grounds.examined += run.search.counts.files;
  add_read_back(run, record);
  require({run.name + ": data folder", "", evidence::Polarity::positive, "it holds files",
           fmt::format("{} files", run.data_files), run.data_files > 0},
          record);
  add_search_controls(run, record);
  add_observer(run, record);
  add_findings(run, record);
  add_unseen(run, record);
  add_rows(run, record);
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
          return is_canary(pattern) && pattern.number == i + 1;
        });
    control.held = hit != run.search.hits.end();
    if (!run.refusal.empty())
      control.observed = "the control run refused: " + run.refusal;
    else
      control.observed = control.held ? "found in " + where_of(*hit, run) : "not found";
    require(std::move(control), record);
  }
}

void add_decryption(const StoreRun& run, evidence::LaneRecord& record) {
  for (std::size_t i = 0; i < run.canaries.size(); ++i) {
    const bool held = i < run.decrypted.size() && run.decrypted[i];
    require({fmt::format("decrypt: canary {}", i + 1), kObserver, evidence::Polarity::positive,
             "the decrypting command prints the written value",
             held ? "printed"
                  : "not printed" + (run.decrypt_failure.empty() ? "" : ": " + run.decrypt_failure),
             held},
            record);
  }
}

void add_headers(const StoreRun& run, evidence::LaneRecord& record) {
  evidence::Table table(
      "first bytes of the files", {"class", "known as", "files", "distinct", "example"},
      "distinct: different values of the first 16 bytes; a description, no proof");
  for (const auto& row : run.search.headers.rows())
    table.add({evidence::visible(row.file_class), row.known_as,
               static_cast<std::int64_t>(row.files), static_cast<std::int64_t>(row.distinct),
               shown(row.example, run)});
  record.tables.push_back(std::move(table));
}

std::string hits_jsonl(const StoreRun& run) {
  std::string lines;
  for (const auto& hit : run.search.hits) {
    const auto& pattern = pattern_of(hit, run);
    lines += nlohmann::json{{"run", run.name},           {"value", pattern.value_name()},
                            {"form", pattern.form},      {"where", where_of(hit, run)},
                            {"times", hit.count},        {"offsets", hit.offsets},
                            {"exempt", exempt(hit, run)}}
                 .dump() +
             "\n";
  }
  return lines;
}

}  // namespace telltale::canary
