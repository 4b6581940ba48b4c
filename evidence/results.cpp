#include "evidence/results.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "evidence/characters.hpp"

namespace telltale::evidence {

namespace {

using nlohmann::json;

json list(const std::vector<std::string>& words) {
  auto all = json::array();
  for (const auto& word : words) all.push_back(valid_utf8(word));
  return all;
}

json pairs(const std::vector<std::pair<std::string, std::string>>& values, const char* first,
           const char* second) {
  auto all = json::array();
  for (const auto& [a, b] : values)
    all.push_back({{first, valid_utf8(a)}, {second, valid_utf8(b)}});
  return all;
}

template <class Items, class Function>
json array_of(const Items& items, Function to_item) {
  auto all = json::array();
  for (const auto& item : items) all.push_back(to_item(item));
  return all;
}

json optional(const std::optional<Instant>& instant) {
  return instant ? json(rfc3339(*instant)) : json(nullptr);
}

// JSON has no NaN and no infinity; a word is better than a silent null.
json value(const Value& held) {
  if (const auto* number = std::get_if<double>(&held); number && !std::isfinite(*number))
    return "not a number";
  if (const auto* word = std::get_if<std::string>(&held)) return valid_utf8(*word);
  return std::visit([](const auto& any) { return json(any); }, held);
}

json row(const Row& row) {
  return {{"name", valid_utf8(row.name())},
          {"value", value(row.value())},
          {"unit", valid_utf8(row.unit())},
          {"note", valid_utf8(row.note())},
          {"timing", row.is_timing()}};
}

json table(const Table& table) {
  return {
      {"title", valid_utf8(table.title())},
      {"columns", list(table.columns())},
      {"rows", array_of(table.rows(), [](const auto& cells) { return array_of(cells, value); })},
      {"note", valid_utf8(table.note())},
      {"timing", table.is_timing()}};
}

json control(const Control& control, const Grounds& grounds) {
  const auto& required = grounds.required_controls;
  return {{"name", valid_utf8(control.name)},
          {"observer", valid_utf8(control.observer)},
          {"polarity", control.polarity == Polarity::positive ? "positive" : "negative"},
          {"required", std::find(required.begin(), required.end(), control.name) != required.end()},
          {"expected", valid_utf8(control.expected)},
          {"observed", valid_utf8(control.observed)},
          {"held", control.held}};
}

json observer(const ObserverRecord& observer) {
  return {{"name", valid_utf8(observer.name)},
          {"role", observer.role == Role::proof ? "proof" : "corroboration"},
          {"sees", valid_utf8(observer.sees)},
          {"misses", valid_utf8(observer.misses)},
          {"started", optional(observer.started)},
          {"ended", optional(observer.ended)},
          {"lost", observer.lost},
          {"miss_rate", observer.miss_rate ? json(*observer.miss_rate) : json(nullptr)},
          {"miss_rate_basis", valid_utf8(observer.miss_rate_basis)},
          {"failure", valid_utf8(observer.failure)}};
}

json finding(const Finding& finding, const Grounds& grounds) {
  return {{"id", valid_utf8(finding.id)},
          {"what", valid_utf8(finding.what)},
          {"where", valid_utf8(finding.where)},
          {"seen_by", list(finding.seen_by)},
          {"first", optional(finding.first)},
          {"last", optional(finding.last)},
          {"details", pairs(finding.details, "name", "value")},
          {"rests_on", list(finding.rests_on)},
          {"stands", stands(grounds, finding)}};
}

json unexamined(const Unexamined& unexamined) {
  return {{"key", valid_utf8(unexamined.key)},
          {"what", valid_utf8(unexamined.what)},
          {"waived", valid_utf8(unexamined.waived)}};
}

json waiver(const Waiver& waiver) {
  return {{"what", valid_utf8(waiver.what)},
          {"reason", valid_utf8(waiver.reason)},
          {"until", valid_utf8(waiver.until)},
          {"expired", waiver.expired},
          {"used", waiver.used}};
}

json variable(const GivenVariable& given) {
  if (given.inherited) return {{"name", valid_utf8(given.name)}, {"inherited", true}};
  return {{"name", valid_utf8(given.name)}, {"value", valid_utf8(given.value)}};
}

json host(const HostStamp& host) {
  return {{"cpu", valid_utf8(host.cpu)},
          {"cores", host.cores},
          {"memory_bytes", host.memory},
          {"architecture", valid_utf8(host.architecture)},
          {"os", valid_utf8(host.os)},
          {"kernel", valid_utf8(host.kernel)},
          {"virtualization", valid_utf8(host.virtualization)},
          {"load_start", host.load_start},
          {"load_end", host.load_end},
          {"busy", host.busy()}};
}

json file(const ExecutedFile& file) {
  return {{"path", valid_utf8(file.path)},
          {"role", file.role},
          {"sha256", file.sha256},
          {"size_bytes", file.size}};
}

json image(const ImageStamp& image) {
  return {{"reference", valid_utf8(image.reference)},
          {"manifest_digest", image.manifest_digest},
          {"config_digest", image.config_digest},
          {"platform", valid_utf8(image.platform)}};
}

json subject(const SubjectStamp& subject) {
  const auto& source = subject.source;
  json made = {{"name", valid_utf8(subject.name)},
               {"files", array_of(subject.files, file)},
               {"source",
                {{"path", valid_utf8(source.path)},
                 {"remote", valid_utf8(source.remote)},
                 {"commit", valid_utf8(source.commit)},
                 {"dirty", source.dirty}}}};
  if (subject.image) made["image"] = image(*subject.image);
  return made;
}

}  // namespace

json to_json(const LaneResult& lane) {
  const auto& record = lane.record();
  const auto& grounds = record.grounds;
  return {
      {"lane", record.lane},
      {"verdict", name(lane.judgement().verdict())},
      {"headline", valid_utf8(lane.headline())},
      {"claim", valid_utf8(record.claim)},
      {"bounds", valid_utf8(record.bounds)},
      {"reasons", list(lane.judgement().reasons())},
      {"assurance",
       {{"reduced", record.assurance.reduced}, {"unseen", list(record.assurance.unseen)}}},
      {"examined", {{"count", grounds.examined}, {"unit", valid_utf8(grounds.examined_unit)}}},
      {"started", rfc3339(record.started)},
      {"ended", rfc3339(lane.ended())},
      {"rows", array_of(record.rows, row)},
      {"tables", array_of(record.tables, table)},
      {"controls", array_of(grounds.controls, [&](const auto& c) { return control(c, grounds); })},
      {"controls_missing", list(missing_controls(grounds))},
      {"observers", array_of(grounds.observers, observer)},
      {"findings", array_of(grounds.findings, [&](const auto& f) { return finding(f, grounds); })},
      {"unexamined", array_of(grounds.unexamined, unexamined)},
      {"waivers", array_of(record.waivers, waiver)},
      {"limits", array_of(record.limits, [](const Limit& l) { return valid_utf8(l.what); })},
      {"skipped", pairs(record.skipped, "what", "reason")},
      {"failure", valid_utf8(grounds.failure)},
  };
}

ExitStatus exit_status(const Run& run) {
  if (run.lanes.empty() && run.finished) return ExitStatus::not_evidence;
  auto status = run.finished ? ExitStatus::clean : ExitStatus::interrupted;
  for (const auto& lane : run.lanes)
    status =
        worst(status, exit_status(lane.judgement(), lane.record().assurance.reduced, run.accepted));
  return status;
}

namespace {

bool any_interrupted(const Run& run) {
  return std::any_of(run.lanes.begin(), run.lanes.end(), [](const LaneResult& lane) {
    return lane.judgement().verdict() == Verdict::interrupted;
  });
}

}  // namespace

json to_json(const Run& run) {
  const auto& tool = run.tool;
  return {
      {"format", "telltale results"},
      {"format_version", 1},
      {"tool", {{"name", tool.name}, {"version", tool.version}, {"commit", tool.commit}}},
      {"host", host(run.host)},
      {"subject", subject(run.subject)},
      {"times", {{"started", rfc3339(run.started)}, {"ended", rfc3339(run.ended)}}},
      {"finished", run.finished && !any_interrupted(run)},
      {"environment",
       {{"given", array_of(run.environment, variable)},
        {"removed", list(run.environment_removed)}}},
      {"accepted", {{"reduced", run.accepted.reduced}, {"advisory", run.accepted.advisory}}},
      {"exit_status", static_cast<int>(exit_status(run))},
      {"evidence_folder", valid_utf8(run.evidence_folder)},
      {"lanes", array_of(run.lanes, [](const LaneResult& lane) { return to_json(lane); })},
  };
}

}  // namespace telltale::evidence
