#include "evidence/verdict.hpp"

#include <csignal>
#include <type_traits>

#include "support/catch.hpp"

using namespace telltale::evidence;

namespace {

Control control(const std::string& name, bool held) {
  return {name, "proxy", Polarity::positive, "seen", held ? "seen" : "not seen", held};
}

ObserverRecord observer(const std::string& name, Role role = Role::proof) {
  ObserverRecord record;
  record.name = name;
  record.role = role;
  record.started = now();
  record.ended = now();
  return record;
}

Finding finding(std::vector<std::string> rests_on = {}) {
  Finding found;
  found.id = "egress-1";
  found.rests_on = std::move(rests_on);
  return found;
}

// Everything held.
Grounds sound() {
  Grounds grounds;
  grounds.required_controls = {"before", "after"};
  grounds.controls = {control("before", true), control("after", true)};
  grounds.observers = {observer("proxy"), observer("sampler", Role::corroboration)};
  grounds.examined = 40;
  grounds.examined_unit = "calls";
  return grounds;
}

struct Case {
  const char* name;
  void (*change)(Grounds&);
  Verdict expected;
};

const Case kTruthTable[] = {
    {"everything held", [](Grounds&) {}, Verdict::clean},
    {"no control required", [](Grounds& g) { g.required_controls.clear(); }, Verdict::not_evidence},
    {"no control ran", [](Grounds& g) { g.controls.clear(); }, Verdict::not_evidence},
    {"one control missing", [](Grounds& g) { g.controls.pop_back(); }, Verdict::not_evidence},
    {"a required control broken", [](Grounds& g) { g.controls[1].held = false; },
     Verdict::not_evidence},
    {"an extra control broken", [](Grounds& g) { g.controls.push_back(control("x", false)); },
     Verdict::not_evidence},
    {"an extra control held", [](Grounds& g) { g.controls.push_back(control("x", true)); },
     Verdict::clean},
    {"no observer", [](Grounds& g) { g.observers.clear(); }, Verdict::not_evidence},
    {"no proof", [](Grounds& g) { g.observers.erase(g.observers.begin()); }, Verdict::not_evidence},
    {"no corroboration", [](Grounds& g) { g.observers.pop_back(); }, Verdict::clean},
    {"a proof that no control was pointed at",
     [](Grounds& g) { g.observers.push_back(observer("capture")); }, Verdict::not_evidence},
    {"a proof that only had to refuse",
     [](Grounds& g) {
       for (auto& each : g.controls) each.polarity = Polarity::negative;
     },
     Verdict::not_evidence},
    {"a proof beside controls that name no observer",
     [](Grounds& g) {
       for (auto& each : g.controls) each.observer.clear();
     },
     Verdict::not_evidence},
    {"an observer never started", [](Grounds& g) { g.observers[0].started.reset(); },
     Verdict::not_evidence},
    {"an observer did not end", [](Grounds& g) { g.observers[1].ended.reset(); },
     Verdict::not_evidence},
    {"an observer failed", [](Grounds& g) { g.observers[1].failure = "no netlink"; },
     Verdict::not_evidence},
    {"an observer lost records", [](Grounds& g) { g.observers[0].lost = 1; },
     Verdict::not_evidence},
    {"nothing examined", [](Grounds& g) { g.examined = 0; }, Verdict::not_evidence},
    {"something unexamined",
     [](Grounds& g) {
       g.unexamined = {{"listener:9", "port 9", ""}};
     },
     Verdict::not_evidence},
    {"something unexamined, waived",
     [](Grounds& g) {
       g.unexamined = {{"listener:9", "port 9", "metrics"}};
     },
     Verdict::clean},
    {"the lane failed", [](Grounds& g) { g.failure = "could not bind"; }, Verdict::not_evidence},
    {"a finding", [](Grounds& g) { g.findings = {finding()}; }, Verdict::findings},
    {"a finding and a broken control",
     [](Grounds& g) {
       g.findings = {finding()};
       g.controls[0].held = false;
     },
     Verdict::findings},
    {"a finding and a failed observer",
     [](Grounds& g) {
       g.findings = {finding()};
       g.observers[0].failure = "died";
     },
     Verdict::findings},
    {"a finding that rests on a held control",
     [](Grounds& g) { g.findings = {finding({"before"})}; }, Verdict::findings},
    {"a finding that rests on a broken control",
     [](Grounds& g) {
       g.findings = {finding({"before"})};
       g.controls[0].held = false;
     },
     Verdict::not_evidence},
    {"a finding that rests on a control that held once and broke once",
     [](Grounds& g) {
       g.findings = {finding({"before"})};
       g.controls.push_back(control("before", false));
     },
     Verdict::not_evidence},
    {"a finding that rests on a missing control",
     [](Grounds& g) { g.findings = {finding({"elsewhere"})}; }, Verdict::not_evidence},
    {"interrupted", [](Grounds& g) { g.interrupted_by = SIGINT; }, Verdict::interrupted},
    {"interrupted with a finding",
     [](Grounds& g) {
       g.interrupted_by = SIGTERM;
       g.findings = {finding()};
     },
     Verdict::interrupted},
};

}  // namespace

TEST_CASE("the verdict follows its truth table") {
  for (const auto& row : kTruthTable) {
    auto grounds = sound();
    row.change(grounds);
    INFO(row.name);
    const auto judgement = judge(grounds);
    CHECK(name(judgement.verdict()) == name(row.expected));
    CHECK(judgement.reasons().empty() == (row.expected == Verdict::clean));
  }
}

TEST_CASE("a judgement is made by judge() alone") {
  STATIC_REQUIRE_FALSE(std::is_default_constructible_v<Judgement>);
  STATIC_REQUIRE_FALSE(std::is_aggregate_v<Judgement>);
}

TEST_CASE("findings name the observer that failed") {
  auto grounds = sound();
  grounds.findings = {finding()};
  grounds.observers[1].failure = "no netlink";
  const auto reasons = judge(grounds).reasons();
  REQUIRE(reasons.size() == 2);
  CHECK(reasons[0] == "1 finding contradicts the claim");
  CHECK(reasons[1] == "observer \"sampler\" failed: no netlink");
}

TEST_CASE("a failure is not buried under its consequences") {
  Grounds grounds;
  grounds.required_controls = {"before", "after"};
  grounds.controls = {control("before", false)};
  grounds.failure = "the proxy never started on port 3128: address in use";
  const auto reasons = judge(grounds).reasons();
  REQUIRE(reasons.size() == 2);
  CHECK(reasons[0] == grounds.failure);
  CHECK(reasons[1] == "control \"before\" did not hold: expected seen, observed not seen");
}

TEST_CASE("a reason is one line, whatever it quotes") {
  Grounds grounds;
  grounds.failure = "it exited with status 1:\n  no such file\r\n\n  giving up\n";
  CHECK(judge(grounds).reasons() ==
        std::vector<std::string>{"it exited with status 1: | no such file | giving up"});
}

TEST_CASE("a control that did not run is a reason, an interrupted one is not") {
  auto grounds = sound();
  grounds.controls.pop_back();
  CHECK(judge(grounds).reasons() == std::vector<std::string>{"control \"after\" did not run"});
  grounds.interrupted_by = SIGINT;
  CHECK(judge(grounds).reasons() == std::vector<std::string>{"stopped by a signal before the end"});
}

TEST_CASE("exit statuses follow the verdict, the assurance and what was accepted") {
  const auto clean = judge(sound());
  CHECK(exit_status(clean, false, {}) == ExitStatus::clean);
  CHECK(exit_status(clean, true, {}) == ExitStatus::not_evidence);
  CHECK(exit_status(clean, true, {.reduced = true, .advisory = false}) == ExitStatus::clean);

  auto grounds = sound();
  grounds.findings = {finding()};
  const auto found = judge(grounds);
  CHECK(exit_status(found, true, {.reduced = true, .advisory = false}) == ExitStatus::findings);
  CHECK(exit_status(found, false, {.reduced = false, .advisory = true}) == ExitStatus::clean);

  grounds = sound();
  grounds.controls.clear();
  const auto nothing = judge(grounds);
  CHECK(exit_status(nothing, false, {.reduced = true, .advisory = true}) ==
        ExitStatus::not_evidence);

  grounds.interrupted_by = SIGINT;
  CHECK(exit_status(judge(grounds), false, {}) == ExitStatus::interrupted);
  grounds.interrupted_by = SIGTERM;
  CHECK(exit_status(judge(grounds), false, {}) == ExitStatus::terminated);
}

TEST_CASE("of several lanes the worst status is the run's") {
  CHECK(worst(ExitStatus::clean, ExitStatus::not_evidence) == ExitStatus::not_evidence);
  CHECK(worst(ExitStatus::findings, ExitStatus::not_evidence) == ExitStatus::findings);
  CHECK(worst(ExitStatus::findings, ExitStatus::interrupted) == ExitStatus::interrupted);
  CHECK(worst(ExitStatus::clean, ExitStatus::clean) == ExitStatus::clean);
}
