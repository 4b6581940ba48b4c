#include "sample_run.hpp"

#include <csignal>

namespace telltale::test {

using namespace evidence;

namespace {

// 2026-11-30T13:00:00Z and some seconds.
Instant at(int seconds) {
  return Instant{std::chrono::seconds(1796043600 + seconds)};
}

ObserverRecord observer(const std::string& name, Role role) {
  ObserverRecord record;
  record.name = name;
  record.role = role;
  record.started = at(1);
  record.ended = at(61);
  return record;
}

Table per_call_table(const HostStamp& host) {
  auto table = Table::timing("Per call, milliseconds", {"door", "n", "min", "p50", "p95", "ratio"},
                             host, "3 samples, interleaved; the first round was discarded");
  table.add({"rest", std::int64_t{200}, 0.112, 0.131, 0.204, 1.0});
  table.add({"mcp", std::int64_t{200}, 0.198, 0.243, 0.391, 1.85});
  table.add({"cli", std::int64_t{200}, 2.31, 2.602, 3.9, "within noise"});
  return table;
}

Finding finding(const std::string& id, const std::string& what) {
  Finding found;
  found.id = id;
  found.what = what;
  found.where = "203.0.113.7:443";
  found.seen_by = {"proxy", "sampler"};
  found.first = at(12);
  found.last = at(40);
  found.details = {{"method", "CONNECT"}, {"executable", "/srv/notes/notes"}};
  return found;
}

Finding expired_waiver() {
  Finding found;
  found.id = "self-waive-1";
  found.what = "the waive entry for \"listener:9000\" expired on 2026-06-30";
  found.where = "listener:9000";
  found.details = {{"reason it gave", "metrics, asked by the health probe"}};
  return found;
}

LaneRecord lane_with_findings(const HostStamp& host) {
  auto record = sound_lane("self");
  record.claim = "every locked module is fetchable, and the subject answers at every door";
  record.bounds = "41 modules, 3 doors, this configuration";
  record.assurance = {};
  record.grounds.examined = 41;
  record.grounds.examined_unit = "modules asked";
  record.grounds.findings = {
      finding("self-1", "example.com/gone v1.2.3 is not served: the registry answered 404 twice"),
      expired_waiver()};
  record.grounds.observers[1].failure = "the netlink socket was closed: Connection reset by peer";
  record.grounds.observers[1].ended.reset();
  record.waivers = {
      {"listener:9000", "metrics, asked by the health probe", "2026-06-30", true, false}};
  record.tables = {per_call_table(host)};
  return record;
}

LaneRecord failed_lane() {
  LaneRecord record;
  record.lane = "cipher";
  record.claim = "nothing that was written is readable on the disk";
  record.bounds = "2 canaries, 2 doors";
  record.started = at(0);
  record.grounds.required_controls = {"unencrypted run"};
  record.grounds.failure = "the control run never got ready: the subject exited with status 1";
  record.rows = {Row("files searched", std::int64_t{12})};
  return record;
}

}  // namespace

Run empty_run() {
  Run run;
  run.tool = {"telltale", "0.1.0", std::string(40, 'c')};
  run.host = {
      "Example CPU @ 2.00GHz", 2, 8ULL << 30, "x86_64", "Example OS 12", "6.1.0", "kvm", 0.5, 1.25};
  run.subject.name = "notes";
  run.subject.files = {{"/usr/bin/python3.11", std::string(64, 'a'), 6831736, "interpreter"},
                       {"/srv/notes/notes.py", std::string(64, 'b'), 812, "script"}};
  run.subject.source = {"/srv/notes", "https://git.example/notes.git", std::string(40, 'd'), true};
  run.started = at(0);
  run.ended = at(75);
  run.finished = true;
  run.environment = {{"HOME", "/tmp/run/home"},
                     {"NOTES_KEY", "[secret NOTES_KEY]"},
                     {"PATH", "/home/me/bin:/usr/bin", true}};
  run.environment_removed = {"CI", "GITHUB_TOKEN"};
  run.evidence_folder = "evidence/notes-20261130T130000Z";
  return run;
}

LaneRecord sound_lane(const std::string& lane) {
  LaneRecord record;
  record.lane = lane;
  record.claim = "nothing tried to leave the machine";
  record.bounds = "60 s, 2 launches, this configuration";
  record.started = at(0);
  auto& grounds = record.grounds;
  grounds.required_controls = {"caller before", "caller after"};
  for (const auto& name : grounds.required_controls)
    grounds.controls.push_back({name, "proxy", Polarity::positive,
                                "the caller's nonce in one record of the proxy", "1 record", true});
  grounds.observers = {observer("proxy", Role::proof), observer("sampler", Role::corroboration)};
  grounds.observers[0].sees = "HTTP and CONNECT of programs that honour the proxy variables";
  grounds.observers[0].misses = "programs that connect by themselves";
  grounds.observers[1].sees = "sockets of the process tree, every 10 ms";
  grounds.observers[1].misses = "connections shorter than its interval";
  grounds.observers[1].miss_rate = 0.205;
  grounds.observers[1].miss_rate_basis = "41 of 200 connections of 5 ms";
  grounds.examined = 40;
  grounds.examined_unit = "calls";
  grounds.unexamined = {{"listener:9000", "0.0.0.0:9000 was never asked", "metrics"}};
  record.assurance = {true, {"direct connections that end within 10 ms", "UDP without connect"}};
  record.rows = {Row("calls made", std::int64_t{40}, "calls", "20 rounds, 2 doors"),
                 Row("output of the subject", std::int64_t{16777216}, "B"),
                 Row::timing("boot to healthy", 41.5, "ms", empty_run().host, "first boot")};
  record.waivers = {{"listener:9000", "metrics", "2027-06-30", false, true},
                    {"modules", "C++ on the distribution's packages", "", false, false}};
  record.limits = {{"what the subject does after 60 s, or with another configuration"}};
  record.skipped = {{"launch with proxy variables", "one launch was asked for"}};
  return record;
}

Run clean_run() {
  auto run = empty_run();
  auto record = sound_lane();
  record.assurance = {};
  run.lanes.push_back(conclude(std::move(record)));
  return run;
}

Run mixed_run() {
  auto run = empty_run();
  run.lanes.push_back(conclude(sound_lane()));
  run.lanes.push_back(conclude(lane_with_findings(run.host)));
  run.lanes.push_back(conclude(failed_lane()));
  return run;
}

Run interrupted_run() {
  auto run = empty_run();
  run.finished = false;
  auto record = sound_lane();
  record.grounds.interrupted_by = SIGINT;
  record.grounds.controls.pop_back();
  record.grounds.observers[0].ended.reset();
  record.grounds.findings = {finding("egress-1", "CONNECT to 203.0.113.7:443")};
  run.lanes.push_back(conclude(std::move(record)));
  return run;
}

}  // namespace telltale::test
