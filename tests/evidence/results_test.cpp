#include "evidence/results.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>

#include "sample_run.hpp"
#include "support/catch.hpp"
#include "support/results_schema.hpp"

using namespace telltale::evidence;
using namespace telltale::test;
using nlohmann::json;

TEST_CASE("every kind of run is a valid document") {
  CHECK(results_faults(to_json(empty_run())) == NoFaults{});
  CHECK(results_faults(to_json(clean_run())) == NoFaults{});
  CHECK(results_faults(to_json(mixed_run())) == NoFaults{});
  CHECK(results_faults(to_json(interrupted_run())) == NoFaults{});
}

TEST_CASE("a real stamp is valid too") {
  auto run = clean_run();
  run.tool = tool_stamp("egress");
  run.host = read_host();
  run.subject.files = executed_files({"sh"}, "/usr/bin:/bin", ".").value();
  run.subject.source = read_source(".");
  CHECK(results_faults(to_json(run)) == NoFaults{});
  CHECK(std::regex_match(run.tool.version, std::regex(R"(\d+\.\d+\.\d+)")));
}

TEST_CASE("a lane that failed keeps its reason and loses its figures") {
  const auto lane = to_json(mixed_run())["lanes"][2];
  CHECK(lane["verdict"] == "NOT EVIDENCE");
  CHECK(lane["failure"] == "the control run never got ready: the subject exited with status 1");
  CHECK(lane["rows"].empty());
  CHECK(lane["tables"].empty());
  CHECK(lane["controls_missing"] == json{"unencrypted run"});
}

TEST_CASE("the exit status is the worst of the lanes, and never 0 for nothing") {
  CHECK(exit_status(clean_run()) == ExitStatus::clean);
  CHECK(exit_status(mixed_run()) == ExitStatus::findings);
  CHECK(exit_status(interrupted_run()) == ExitStatus::interrupted);
  CHECK(exit_status(empty_run()) == ExitStatus::not_evidence);
  auto run = clean_run();
  run.finished = false;
  CHECK(exit_status(run) == ExitStatus::interrupted);
  CHECK(to_json(run)["exit_status"] == 130);
}

TEST_CASE("a run with an interrupted lane is never finished") {
  auto run = interrupted_run();
  run.finished = true;
  const auto document = to_json(run);
  CHECK(document["finished"] == false);
  CHECK(results_faults(document) == NoFaults{});
}

TEST_CASE("the headline never states a claim that did not hold") {
  const auto run = mixed_run();
  CHECK(run.lanes[0].headline() ==
        "CLEAN: nothing tried to leave the machine (60 s, 2 launches, this configuration; reduced "
        "assurance)");
  CHECK(run.lanes[1].headline() ==
        "FINDINGS: 2 findings contradict \"every locked module is fetchable, and the subject "
        "answers at every door\" (41 modules, 3 doors, this configuration)");
  CHECK(run.lanes[2].headline() ==
        "NOT EVIDENCE: this run cannot say that nothing that was written is readable on the disk "
        "(2 canaries, 2 doors): the control run never got ready: the subject exited with status 1");
  CHECK(interrupted_run().lanes[0].headline().find(
            "INTERRUPTED: stopped before it could say that nothing tried to leave") == 0);
}

TEST_CASE("a finding whose control broke is kept and does not stand") {
  auto record = sound_lane();
  Finding absent;
  absent.id = "self-1";
  absent.what = "absent";
  absent.rests_on = {"caller after"};
  record.grounds.findings = {absent};
  record.grounds.controls[1].held = false;
  auto run = empty_run();
  run.lanes.push_back(conclude(std::move(record)));
  const auto document = to_json(run);
  CHECK(document["lanes"][0]["verdict"] == "NOT EVIDENCE");
  CHECK(document["lanes"][0]["findings"][0]["stands"] == false);
  CHECK(results_faults(document) == NoFaults{});
}

TEST_CASE("bytes that are no text do not break the document") {
  auto run = clean_run();
  run.subject.name = "na\xffme";
  run.environment.push_back({"X", "\xc3\x28\x1b[31m"});
  const auto document = to_json(run);
  CHECK(document["subject"]["name"] == "na\\xffme");
  const auto text = to_text(document);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(json::parse(text) == document);
}

TEST_CASE("numbers that JSON cannot hold are words") {
  auto record = sound_lane();
  record.assurance = {};
  record.rows = {Row("ratio", std::nan("")), Row("rate", std::numeric_limits<double>::infinity())};
  auto run = empty_run();
  run.lanes.push_back(conclude(std::move(record)));
  const auto document = to_json(run);
  CHECK(document["lanes"][0]["rows"][0]["value"] == "not a number");
  CHECK(document["lanes"][0]["rows"][1]["value"] == "not a number");
  CHECK(results_faults(document) == NoFaults{});
}

TEST_CASE("a document that is written piece by piece is the one that is written whole") {
  const auto document = json::parse(
      R"({"a":[],"b":{},"c":[{"d":[{"e":[{"f":1,"g":["x\ny",{"h":null}]}],"i":"\u00e9"}]}],"j":"k"})");
  CHECK(to_text(document) == document.dump(2) + "\n");
  CHECK(to_text(json("word")) == "\"word\"\n");
}

TEST_CASE("a JSON text holds no character that drives or reorders a terminal's line") {
  const json document{{"a", "C1 \u009b31m DEL \x7f bidi \u202e tag \U000E0041 kept \u00e9\u4e2d"}};
  const auto text = to_text(document);
  CHECK(text.find("\\u009b31m DEL \\u007f bidi \\u202e tag \\udb40\\udc41 kept \u00e9\u4e2d") !=
        std::string::npos);
  CHECK(json::parse(text) == document);
  CHECK(text.back() == '\n');
}
