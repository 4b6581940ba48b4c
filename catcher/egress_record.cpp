#include "catcher/egress_record.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "catcher/attempts_record.hpp"
#include "catcher/environment_matrix.hpp"
#include "catcher/requests_har.hpp"
#include "catcher/sent/writes.hpp"
#include "catcher/tls/payload_rows.hpp"
#include "catcher/written_record.hpp"
#include "evidence/durable_file.hpp"
#include "evidence/results.hpp"

namespace telltale::catcher {

namespace {

evidence::Control doors_control(const subject::DriveReport& report, int launch) {
  evidence::Control control{fmt::format("doors, launch {}", launch),
                            "",
                            evidence::Polarity::positive,
                            "every door answers as the file expects",
                            fmt::format("{} calls, all as expected", report.calls()),
                            report.failed() == 0};
  for (const auto& door : report.doors)
    if (door.failed > 0)
      control.observed = fmt::format("door \"{}\" failed {} of {} calls: {}", door.door,
                                     door.failed, door.calls, door.first_failure);
  return control;
}

// One row for what was asked of one place, with the programs that did.
void add_remarks(const std::vector<Sighting>& remarks, evidence::LaneRecord& record) {
  constexpr std::size_t kShown = 20;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> programs;
  for (const auto& remark : remarks) {
    const auto where =
        remark.port == 0 ? remark.host : fmt::format("{}:{}", remark.host, remark.port);
    auto& known = programs[{remark.kind, where}];
    if (!remark.executable.empty()) known.insert(remark.executable);
  }
  std::size_t shown = 0;
  for (const auto& [asked, by] : programs) {
    if (++shown > kShown) break;
    const auto& [kind, where] = asked;
    record.rows.emplace_back(
        kind == "nothing sent" ? "UDP peer, nothing sent" : kind, where, "",
        "asked for by " + (by.empty() ? std::string("a program that was gone")
                                      : fmt::format("{}", fmt::join(by, ", "))));
  }
  if (programs.size() > kShown)
    record.rows.emplace_back("asked for besides",
                             static_cast<std::int64_t>(programs.size() - kShown), "",
                             "places: nothing left through them");
}

Result<> write_requests(const std::vector<Sighting>& sightings, subject::LaneContext& context) {
  if (context.folder == nullptr) return {};
  const auto folder = context.folder->lane("egress");
  if (!folder) return pass_on(folder.error());
  auto har = requests_har(sightings, evidence::tool_stamp("telltale").version);
  context.masker.mask(har);
  auto file = evidence::DurableFile::create(*folder / "requests.har");
  if (!file) return pass_on(std::move(file.error()));
  const auto text = har.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (auto written = file->write(text); !written) return written;
  return file->commit();
}

}  // namespace

evidence::LaneRecord begin_egress_record() {
  evidence::LaneRecord record;
  record.lane = "egress";
  record.claim = "nothing tried to leave the machine";
  record.grounds.examined_unit = "calls made";
  return record;
}

Result<std::filesystem::path> install_caller(const std::filesystem::path& scratch) {
  auto program = find_caller();
  if (!program) return program;
  const auto copy = scratch / "telltale-caller";
  std::error_code error;
  std::filesystem::copy_file(*program, copy, std::filesystem::copy_options::overwrite_existing,
                             error);
  if (error || chmod(copy.c_str(), 0755) != 0)
    return fail(Fault::instrument,
                fmt::format("the control caller could not be copied to {}: {}", copy.string(),
                            error ? error.message() : "no permission"),
                "set TMPDIR to a folder with room whose programs may be executed");
  return copy;
}

void add_stop_rows(const subject::StopReport& report, int launch, evidence::LaneRecord& record) {
  const auto name = [&](const char* what) { return fmt::format("launch {}: {}", launch, what); };
  record.rows.emplace_back(name("end"), report.exit.text(), "",
                           report.killed             ? "killed: it outlived the grace period"
                           : report.exited_by_itself ? "ended by itself"
                                                     : "stopped by the tool");
  record.rows.emplace_back(name("output"), static_cast<std::int64_t>(report.output_bytes), "B",
                           report.output_kept < report.output_bytes ? "the log was cut" : "");
  for (const auto& process : report.detached)
    record.rows.emplace_back(name("detached process"), process, "",
                             "outlived the subject and was stopped");
}

void add_drive_rows(const subject::DriveReport& report, int launch, evidence::LaneRecord& record) {
  record.grounds.examined += report.calls();
  record.rows.emplace_back(fmt::format("launch {}: calls made", launch),
                           static_cast<std::int64_t>(report.calls()));
  auto control = doors_control(report, launch);
  record.grounds.required_controls.push_back(control.name);
  record.grounds.controls.push_back(std::move(control));
}

void add_unexamined(const std::vector<evidence::Unexamined>& more, evidence::LaneRecord& record) {
  auto& all = record.grounds.unexamined;
  for (const auto& one : more)
    if (std::none_of(all.begin(), all.end(),
                     [&](const auto& known) { return known.key == one.key; }))
      all.push_back(one);
}

Result<> finish_egress_record(const Watch& watch, const Pages& pages, const ReadLaunches& launches,
                              subject::LaneContext& context, evidence::LaneRecord& record) {
  auto reading = watch.read_into(record, context.host, launches.deliberate);
  const auto browsers_own = pages.sort_out(reading.attempts);
  const LaunchComparison comparison(launches.compared, reading.attempts);
  for (auto& row : environment_rows(launches.environments, reading.attempts))
    record.rows.push_back(std::move(row));
  record.assurance = watch.assurance();
  add_remarks(reading.remarks, record);
  pages.add_rows(browsers_own, record);
  add_unexamined(pages.unopened(), record);
  auto written = record_attempts({reading.attempts, browsers_own, reading.deliberate}, comparison,
                                 context, record);
  if (!written) return written;
  add_payload_rows(reading.attempts, record);
  if (const auto* sent = watch.sent_values())
    add_sent_values(*sent, watch.sent_hits(), reading.attempts, record);
  context.allow.apply(record);
  context.waivers.apply(record);
  written = record_written(watch.setting().overlaid(), context, record);
  return written ? write_requests(reading.requests, context) : written;
}

}  // namespace telltale::catcher
