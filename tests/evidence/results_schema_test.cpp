// The schema itself: it must refuse each document below. Each one is a valid document with one
// change; a schema word that valijson does not check would let its row pass.
#include "support/results_schema.hpp"

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "evidence/results.hpp"
#include "sample_run.hpp"
#include "support/catch.hpp"
#include "support/json_schema.hpp"

using namespace telltale::evidence;
using namespace telltale::test;
using nlohmann::json;

namespace {

struct Mutation {
  const char* name;
  std::function<void(json&)> change;
};

json& lane(json& document, std::size_t index = 0) {
  return document["lanes"][index];
}

void refused(const json& valid, const std::vector<Mutation>& mutations) {
  REQUIRE(results_faults(valid) == NoFaults{});
  for (const auto& [name, change] : mutations) {
    auto document = valid;
    change(document);
    INFO(name);
    CHECK(document != valid);
    CHECK_FALSE(results_faults(document).empty());
  }
}

// Every object of the document: drop each key, add one; and give each value another type.
void for_each_object(json& value, const std::function<void(json&)>& visit) {
  if (value.is_object()) visit(value);
  if (value.is_structured())
    for (auto& each : value) for_each_object(each, visit);
}

}  // namespace

TEST_CASE("the schema uses no word that the validator would pass unread") {
  std::ifstream in(TELLTALE_RESULTS_SCHEMA);
  CHECK(unchecked_words(json::parse(in)) == std::vector<std::string>{});

  const json loose{{"type", "object"},
                   {"properties", {{"a", {{"$ref", "#"}, {"minLength", 1}}}}},
                   {"prefixItems", json::array()}};
  CHECK(unchecked_words(loose).size() == 3);
}

TEST_CASE("no key may be missing, and none may be added") {
  auto document = to_json(mixed_run());
  std::size_t tried = 0;
  for_each_object(document, [&](json& object) {
    const auto whole = object;
    object["unheard-of"] = 1;
    CHECK_FALSE(results_faults(document).empty());
    object = whole;
    for (const auto& [key, unused] : whole.items()) {
      object.erase(key);
      INFO(key);
      CHECK_FALSE(results_faults(document).empty());
      object = whole;
      ++tried;
    }
  });
  CHECK(tried > 200);
  CHECK(results_faults(document) == NoFaults{});
}

TEST_CASE("no value may have another type") {
  auto document = to_json(mixed_run());
  for_each_object(document, [&](json& object) {
    for (auto& [key, value] : object.items()) {
      const auto right = value;
      value = right.is_object() ? json(1) : json::object();
      INFO(key);
      CHECK_FALSE(results_faults(document).empty());
      value = right;
    }
  });
  CHECK(results_faults(document) == NoFaults{});
}

TEST_CASE("CLEAN needs everything") {
  refused(
      to_json(clean_run()),
      {
          {"a control broke", [](json& d) { lane(d)["controls"][1]["held"] = false; }},
          {"no control", [](json& d) { lane(d)["controls"] = json::array(); }},
          {"a control is missing", [](json& d) { lane(d)["controls_missing"] = {"x"}; }},
          {"no control was required",
           [](json& d) {
             for (auto& each : lane(d)["controls"]) each["required"] = false;
           }},
          {"only negative controls",
           [](json& d) {
             for (auto& each : lane(d)["controls"]) each["polarity"] = "negative";
           }},
          {"no observer", [](json& d) { lane(d)["observers"] = json::array(); }},
          {"no proof", [](json& d) { lane(d)["observers"][0]["role"] = "corroboration"; }},
          {"an observer failed", [](json& d) { lane(d)["observers"][1]["failure"] = "died"; }},
          {"an observer lost records", [](json& d) { lane(d)["observers"][0]["lost"] = 1; }},
          {"an observer never started",
           [](json& d) { lane(d)["observers"][0]["started"] = nullptr; }},
          {"an observer did not end", [](json& d) { lane(d)["observers"][1]["ended"] = nullptr; }},
          {"a proof that no control was pointed at",
           [](json& d) {
             for (auto& each : lane(d)["controls"]) each["observer"] = "sampler";
           }},
          {"a finding",
           [](json& d) { lane(d)["findings"] = to_json(mixed_run())["lanes"][1]["findings"]; }},
          {"something unexamined", [](json& d) { lane(d)["unexamined"][0]["waived"] = ""; }},
          {"nothing examined", [](json& d) { lane(d)["examined"]["count"] = 0; }},
          {"a failure", [](json& d) { lane(d)["failure"] = "no"; }},
          {"a reason", [](json& d) { lane(d)["reasons"] = {"because"}; }},
          {"no bounds", [](json& d) { lane(d)["bounds"] = ""; }},
          {"a headline that says something else",
           [](json& d) { lane(d)["headline"] = "FINDINGS: 1 finding"; }},
          {"an expired waiver and no finding",
           [](json& d) {
             lane(d)["waivers"][0]["expired"] = true;
             lane(d)["waivers"][0]["used"] = false;
           }},
      });
}

TEST_CASE("the other verdicts need their grounds") {
  refused(
      to_json(mixed_run()),
      {
          {"FINDINGS without one", [](json& d) { lane(d, 1)["findings"] = json::array(); }},
          {"FINDINGS of which none stands",
           [](json& d) {
             for (auto& each : lane(d, 1)["findings"]) {
               each["stands"] = false;
               each["rests_on"] = {"x"};
             }
           }},
          {"a finding that rests on nothing and falls",
           [](json& d) { lane(d, 1)["findings"][0]["stands"] = false; }},
          {"FINDINGS without a reason", [](json& d) { lane(d, 1)["reasons"] = json::array(); }},
          {"NOT EVIDENCE with a finding that stands",
           [](json& d) { lane(d, 2)["findings"] = {lane(d, 1)["findings"][0]}; }},
          {"NOT EVIDENCE without a reason", [](json& d) { lane(d, 2)["reasons"] = json::array(); }},
          {"a failed lane with rows", [](json& d) { lane(d, 2)["rows"] = lane(d, 0)["rows"]; }},
          {"a failed lane with a table",
           [](json& d) { lane(d, 2)["tables"] = lane(d, 1)["tables"]; }},
          {"a verdict of its own", [](json& d) { lane(d, 2)["verdict"] = "PASS"; }},
          {"reduced, and no way unseen",
           [](json& d) { lane(d)["assurance"]["unseen"] = json::array(); }},
          {"an expired waiver that was used",
           [](json& d) { lane(d, 1)["waivers"][0]["used"] = true; }},
          {"an expired waiver without a date",
           [](json& d) { lane(d, 1)["waivers"][0]["until"] = ""; }},
          {"a waiver without a reason", [](json& d) { lane(d)["waivers"][0]["reason"] = ""; }},
      });
}

TEST_CASE("figures need their unit, their host and their columns") {
  refused(to_json(mixed_run()),
          {
              {"a timing without its host", [](json& d) { d["host"]["cpu"] = ""; }},
              {"a table of timings without its host",
               [](json& d) {
                 d["host"]["cpu"] = "";
                 for (auto& each : d["lanes"]) each["rows"] = json::array();
               }},
              {"a timing that is a word", [](json& d) { lane(d)["rows"][2]["value"] = "fast"; }},
              {"a timing without a unit", [](json& d) { lane(d)["rows"][2]["unit"] = ""; }},
              {"a null for a number", [](json& d) { lane(d)["rows"][0]["value"] = nullptr; }},
              {"a short table row", [](json& d) { lane(d, 1)["tables"][0]["rows"][0].erase(0); }},
              {"a miss rate above 1", [](json& d) { lane(d)["observers"][1]["miss_rate"] = 1.5; }},
              {"a miss rate without its basis",
               [](json& d) { lane(d)["observers"][1]["miss_rate_basis"] = ""; }},
              {"a negative loss", [](json& d) { lane(d)["observers"][1]["lost"] = -1; }},
          });
}

TEST_CASE("stamps, times and names have one form") {
  refused(to_json(mixed_run()),
          {
              {"a short hash", [](json& d) { d["subject"]["files"][0]["sha256"] = "abc"; }},
              {"an upper-case hash",
               [](json& d) { d["subject"]["files"][0]["sha256"] = std::string(64, 'A'); }},
              {"a role of its own", [](json& d) { d["subject"]["files"][0]["role"] = "library"; }},
              {"a branch for a commit", [](json& d) { d["subject"]["source"]["commit"] = "main"; }},
              {"a local time", [](json& d) { d["times"]["started"] = "2026-11-30T13:00:00.000"; }},
              {"an end before the start",
               [](json& d) { d["times"]["ended"] = "2026-11-30T12:59:59.000Z"; }},
              {"an observer that ended before it started",
               [](json& d) { lane(d)["observers"][0]["ended"] = "2026-11-30T12:59:59.000Z"; }},
              {"a lane of its own", [](json& d) { lane(d)["lane"] = "speed"; }},
              {"one lane twice", [](json& d) { lane(d, 1)["lane"] = "egress"; }},
              {"one finding twice",
               [](json& d) { lane(d, 1)["findings"][1] = lane(d, 1)["findings"][0]; }},
              {"an id with a space", [](json& d) { lane(d, 1)["findings"][0]["id"] = "a b"; }},
              {"a date in words", [](json& d) { lane(d)["waivers"][0]["until"] = "next year"; }},
              {"a control that ran and did not",
               [](json& d) { lane(d, 1)["controls_missing"] = {"caller before"}; }},
              {"another format", [](json& d) { d["format"] = "other"; }},
              {"a later version", [](json& d) { d["format_version"] = 2; }},
              {"a tool of its own", [](json& d) { d["tool"]["name"] = "x"; }},
          });
}

TEST_CASE("the exit status follows the verdicts") {
  refused(to_json(mixed_run()),
          {
              {"0 with FINDINGS", [](json& d) { d["exit_status"] = 0; }},
              {"2 with a run", [](json& d) { d["exit_status"] = 2; }},
              {"1 and advisory", [](json& d) { d["accepted"]["advisory"] = true; }},
              {"130 and finished", [](json& d) { d["exit_status"] = 130; }},
          });
  refused(
      to_json(clean_run()),
      {
          {"0 with NOT EVIDENCE",
           [](json& d) { d["lanes"].push_back(to_json(mixed_run())["lanes"][2]); }},
          {"0 without a lane", [](json& d) { d["lanes"] = json::array(); }},
          {"0 with a CLEAN that nobody accepted as reduced",
           [](json& d) { lane(d)["assurance"] = to_json(mixed_run())["lanes"][0]["assurance"]; }},
          {"0 and unfinished", [](json& d) { d["finished"] = false; }},
          {"1 without FINDINGS", [](json& d) { d["exit_status"] = 1; }},
      });
  refused(to_json(interrupted_run()), {{"finished", [](json& d) { d["finished"] = true; }}});
}
