#include "evidence/waivers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evidence/results.hpp"
#include "sample_run.hpp"
#include "support/catch.hpp"
#include "support/results_schema.hpp"

using namespace telltale::evidence;
using telltale::Fault;

namespace {

const Instant kLastMoment{std::chrono::milliseconds(1796083199999)};  // 2026-11-30T23:59:59.999Z
const Instant kNextMoment{std::chrono::milliseconds(1796083200000)};  // 2026-12-01T00:00:00.000Z

Waivers waivers(std::vector<WaiverTerms> terms, Instant today = kLastMoment) {
  return Waivers::make("waive", terms, today).value();
}

}  // namespace

TEST_CASE("a waiver covers the key that it names, and is marked used") {
  auto all = waivers({{"listener:9000", "metrics", ""}, {"modules", "C++", ""}});
  CHECK(all.covers("listener:9000") == "metrics");
  CHECK_FALSE(all.covers("listener:90"));
  CHECK_FALSE(all.covers("listener:90000"));
  CHECK(all.entries()[0].used);
  CHECK_FALSE(all.entries()[1].used);
}

TEST_CASE("a star stands for a part of a file's path, and for nothing else") {
  auto all = waivers({{"file:/work/*.pid", "pids", ""},
                      {"file:/cache/**", "cache", ""},
                      {"listener:*", "not a path", ""}});
  CHECK(all.covers("file:/work/a.pid") == "pids");
  CHECK_FALSE(all.covers("file:/work/a/b.pid"));
  CHECK_FALSE(all.covers("file:/work/a.pid.old"));
  CHECK(all.covers("file:/cache/a/b") == "cache");
  CHECK_FALSE(all.covers("file:/cach"));
  CHECK_FALSE(all.covers("listener:9000"));
  CHECK(all.covers("listener:*") == "not a path");
}

TEST_CASE("globs") {
  CHECK(glob_matches("", ""));
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("a*b*c", "aXbYc"));
  CHECK(glob_matches("a*b", "ab"));
  CHECK_FALSE(glob_matches("a*b", "a/b"));
  CHECK(glob_matches("a**b", "a/x/b"));
  CHECK(glob_matches("/**/x", "/a/b/x"));
  CHECK_FALSE(glob_matches("a?c", "abc"));
  CHECK_FALSE(glob_matches("*a", "ab"));
  // No pattern takes more than the product of the lengths.
  CHECK_FALSE(glob_matches("**a**a**a**a**a**a**b", std::string(4096, 'a')));
}

TEST_CASE("until is the last day, in UTC") {
  const std::vector<WaiverTerms> terms{{"listener:9000", "metrics", "2026-11-30"}};
  CHECK(waivers(terms, kLastMoment).covers("listener:9000"));
  auto expired = waivers(terms, kNextMoment);
  CHECK_FALSE(expired.covers("listener:9000"));
  CHECK(expired.entries()[0].expired);
  CHECK_FALSE(expired.entries()[0].used);
}

TEST_CASE("dates are days that exist") {
  for (const auto* date : {"2026-11-30", "2024-02-29", "0001-01-01"}) CHECK(is_date(date));
  for (const auto* date :
       {"", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "30.11.2026", "2026-11-30 ",
        "2026-11-3x", "2026/11/30", "+026-11-30", "-026-11-30", "2026--1-30", "tomorrow"}) {
    INFO(date);
    CHECK_FALSE(is_date(date));
  }
}

TEST_CASE("a waiver needs what, why, and a date that is one") {
  for (const auto& [terms, what] : std::vector<std::pair<WaiverTerms, std::string>>{
           {{"", "r", ""}, "does not say what it covers"},
           {{"modules", "", ""}, "\"modules\" has no reason"},
           {{"modules", " \t", ""}, "\"modules\" has no reason"},
           {{"modules", "r", "2026-02-30"}, "\"2026-02-30\" is not a date"}}) {
    const auto made = Waivers::make("waive", {terms}, kLastMoment);
    REQUIRE_FALSE(made);
    CHECK(made.error().fault == Fault::input);
    CHECK(made.error().what.find(what) != std::string::npos);
    CHECK_FALSE(made.error().fix.empty());
  }
}

TEST_CASE("applying waives what is unexamined and lists every entry") {
  auto all = waivers({{"listener:9000", "metrics", "2026-11-30"}, {"modules", "C++", ""}});
  auto record = telltale::test::sound_lane();
  record.waivers.clear();
  record.assurance = {};
  record.grounds.unexamined = {{"listener:9000", "port 9000 was never asked", ""}};
  all.apply(record);
  CHECK(record.grounds.unexamined[0].waived == "metrics");
  REQUIRE(record.waivers.size() == 2);
  CHECK(record.waivers[0].used);
  CHECK_FALSE(record.waivers[1].used);
  CHECK(name(conclude(record).judgement().verdict()) == "CLEAN");

  // In the next lane it is used only when it is used there.
  auto next = telltale::test::sound_lane("self");
  next.waivers.clear();
  next.grounds.unexamined.clear();
  all.apply(next);
  CHECK_FALSE(next.waivers[0].used);
}

TEST_CASE("an expired waiver covers nothing and is a finding of one lane") {
  auto all = waivers({{"listener:9000", "metrics", "2026-11-29"}});
  auto run = telltale::test::empty_run();
  for (const auto* lane : {"egress", "self"}) {
    auto record = telltale::test::sound_lane(lane);
    record.waivers.clear();
    record.assurance = {};
    record.grounds.unexamined = {{"listener:9000", "port 9000 was never asked", ""}};
    all.apply(record);
    CHECK(record.grounds.unexamined[0].waived.empty());
    run.lanes.push_back(conclude(record));
  }
  const auto document = to_json(run);
  CHECK(telltale::test::results_faults(document) == telltale::test::NoFaults{});
  const auto& findings = document["lanes"][0]["findings"];
  REQUIRE(findings.size() == 1);
  CHECK(findings[0]["id"] == "egress-waive-1");
  CHECK(findings[0]["what"] == "the waive entry for \"listener:9000\" expired on 2026-11-29");
  CHECK(document["lanes"][0]["verdict"] == "FINDINGS");
  CHECK(document["lanes"][1]["findings"].empty());
  CHECK(document["lanes"][1]["verdict"] == "NOT EVIDENCE");
}
