#include "sweep/sweep.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evidence/waivers.hpp"
#include "support/catch.hpp"
#include "sweep/registry_server.hpp"
#include "sweep/says.hpp"

using namespace telltale;
using namespace telltale::sweep;
using evidence::Verdict;
using test::RegistryServer;
using test::says;

namespace {

const std::filesystem::path kGo = std::filesystem::path(TELLTALE_FIXTURES) / "go";

struct Swept {
  SweepOutcome outcome;
  evidence::LaneResult result;
};

Reading greeter() {
  return *read_modules(kGo / "greeter");
}

Reading reading_of(std::vector<std::pair<std::string, std::string>> modules) {
  Reading reading;
  reading.source = "a test";
  reading.ecosystem = "go";
  reading.claim = "it is built from";
  for (auto& [path, version] : modules) {
    Module module;
    module.ecosystem = "go";
    module.path = path;
    module.version = version;
    reading.modules.push_back(module);
  }
  return reading;
}

Endpoints at(std::vector<std::string> addresses, bool on_any_error = false) {
  Endpoints endpoints;
  for (auto& address : addresses) endpoints.list.push_back({address, on_any_error});
  endpoints.chosen_by = "--registry";
  return endpoints;
}

Swept run(const Reading& reading, const Endpoints& endpoints, SweepOptions options = {}) {
  FetchOptions fetching;
  fetching.retry_wait = std::chrono::milliseconds(1);
  fetching.timeout = std::chrono::milliseconds(2000);
  auto fetcher = make_fetcher(fetching);
  const auto registry = make_registry("go", {[](const char*) -> const char* { return nullptr; }});
  auto outcome = sweep::sweep(reading, *registry, endpoints, **fetcher, options);
  REQUIRE(outcome);
  auto result = evidence::conclude(outcome->record);
  return {*std::move(outcome), std::move(result)};
}

Swept run(const Reading& reading, const RegistryServer& server) {
  return run(reading, at({server.url()}));
}

std::string verdict(const Swept& swept) {
  return std::string(evidence::name(swept.result.judgement().verdict()));
}

std::string reasons(const Swept& swept) {
  std::string all;
  for (const auto& reason : swept.result.judgement().reasons()) all += reason + "\n";
  return all;
}

std::int64_t count(const Swept& swept, const std::string& row) {
  for (const auto& one : swept.outcome.record.rows)
    if (one.name() == row) return std::get<std::int64_t>(one.value());
  FAIL("there is no row " << row);
  return -1;
}

// "module: answer, published as" of each.
std::vector<std::string> answers(const Swept& swept) {
  std::vector<std::string> all;
  for (const auto& one : swept.outcome.modules)
    all.push_back(one.module.label() + ": " + std::string(name(one.answer)) + ", " +
                  std::string(name(one.publication)));
  return all;
}

const std::string kWidget = "/notes.example/!widget/@v/v1.0.0-!r!c1";

}  // namespace

TEST_CASE("a program whose modules are all there is clean, within its bounds") {
  RegistryServer server;
  const auto swept = run(greeter(), server);
  INFO(reasons(swept));
  CHECK(verdict(swept) == "CLEAN");
  CHECK(
      says(swept.result.headline(),
           "CLEAN: every module that it is built from is fetchable with no credential (4 modules, "
           "127.0.0.1:"));
  CHECK_FALSE(test::holds(swept.result.headline(), "can be built"));
  CHECK(answers(swept) ==
        std::vector<std::string>{
            "notes.example/greeter@v1.2.0: fetchable, release",
            "notes.example/Widget@v1.0.0-RC1: fetchable, pre-release",
            "notes.example/clock@v0.0.0-20260102030405-0123456789ab: fetchable, pseudo-version, no "
            "release",
            "notes.example/theme/v2@v2.1.0: fetchable, release"});
  CHECK(count(swept, "modules needed") == 4);
  CHECK(count(swept, "fetchable") == 4);
  CHECK(count(swept, "private required") == 0);
  CHECK(swept.outcome.record.grounds.controls.size() == 6);
}

TEST_CASE("exactly these questions are asked, each once") {
  RegistryServer server;
  (void)run(greeter(), server);
  std::vector<std::string> controls, questions;
  for (const auto& line : server.requests()) {
    const bool is_control =
        test::holds(line, "telltale-control-") || test::holds(line, "greeter/@v/v0.1");
    (is_control ? controls : questions).push_back(line);
  }
  const std::string clock = " /notes.example/clock/@v/v0.0.0-20260102030405-0123456789ab";
  const std::string widget = " /notes.example/%21widget/@v/v1.0.0-%21r%21c1";
  const std::string theme = " /notes.example/theme/v2/@v/v2.1.0";
  const std::string first = " /notes.example/greeter/@v/v1.2.0";
  std::vector<std::string> expected;
  for (const auto& version : {clock, widget, theme, first}) {
    expected.push_back("GET" + version.substr(0, version.rfind('/')) + "/list 200");
    expected.push_back("GET" + version + ".info 200");
    expected.push_back("GET" + version + ".mod 200");
    expected.push_back("HEAD" + version + ".zip 200");
  }
  // The known-good control, before and after.
  for (int i = 0; i < 2; ++i) expected.push_back("GET" + first + ".info 200");
  std::sort(expected.begin(), expected.end());
  CHECK(questions == expected);
  CHECK(controls.size() == 4);
  CHECK(std::all_of(controls.begin(), controls.end(),
                    [](const auto& line) { return line.ends_with(" 404"); }));
}

TEST_CASE("a module that is not there is a finding, named") {
  RegistryServer server({kWidget + "=404"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "FINDINGS");
  const auto& findings = swept.outcome.record.grounds.findings;
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].where == "notes.example/Widget@v1.0.0-RC1");
  CHECK(says(findings[0].what, "is not there"));
  CHECK(findings[0].rests_on.size() == 6);
  CHECK(count(swept, "absent") == 1);
  CHECK(count(swept, "published as: nothing") == 1);
}

TEST_CASE("a 410, a body that reads like an authentication error: absent all the same") {
  RegistryServer server({kWidget + "=410"});
  CHECK(verdict(run(greeter(), server)) == "FINDINGS");
}

TEST_CASE("a module that is refused is a finding, and not absent") {
  RegistryServer server({kWidget + "=403"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "FINDINGS");
  CHECK(says(swept.outcome.record.grounds.findings.at(0).what, "is refused"));
  CHECK(count(swept, "refused") == 1);
  CHECK(count(swept, "absent") == 0);
}

TEST_CASE("a module that is served with its go.mod refused is refused") {
  RegistryServer refusing({".=403"});
  RegistryServer server({kWidget + "[.]mod=redirect:" + refusing.url()});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "FINDINGS");
  CHECK(says(swept.outcome.record.grounds.findings.at(0).what, "its .mod: 403"));
}

TEST_CASE("a module whose archive is not there is not fetchable") {
  for (const auto* status : {"404", "410"}) {
    RegistryServer server({kWidget + "[.]zip=" + status});
    const auto swept = run(greeter(), server);
    CHECK(verdict(swept) == "FINDINGS");
    CHECK(
        says(swept.outcome.record.grounds.findings.at(0).what, std::string("its .zip: ") + status));
    CHECK(count(swept, "absent") == 1);
  }
}

TEST_CASE("a registry that knows no HEAD is asked for one byte of the archive") {
  RegistryServer server({"[.]zip=no-head"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "CLEAN");
  CHECK(count(swept, "fetchable") == 4);
  const auto requests = server.requests();
  CHECK(std::count(requests.begin(), requests.end(),
                   "GET /notes.example/theme/v2/@v/v2.1.0.zip 200") == 1);
}

TEST_CASE("a module without a usable answer is not looked at, never clean") {
  for (const auto* mode : {"502", "400", "garbage", "login", "truncated", "close", "echo"}) {
    INFO(mode);
    RegistryServer server({kWidget + "=" + mode});
    const auto swept = run(greeter(), server);
    CHECK(verdict(swept) == "NOT EVIDENCE");
    CHECK(says(reasons(swept), "waive it as \"module:notes.example/Widget@v1.0.0-RC1\""));
    CHECK(count(swept, "unknown") == 1);
  }
}

TEST_CASE("a module that is there at the second try is fetchable, and flapping") {
  RegistryServer server({kWidget + "[.]info=flapping"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "CLEAN");
  CHECK(count(swept, "flapping") == 1);
}

TEST_CASE("served, and its list is gone") {
  RegistryServer server({"greeter/@v/list=404"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "CLEAN");
  CHECK(count(swept, "published as: served but gone") == 1);
}

// The whole registry misbehaves: what is asked does not matter any more.
TEST_CASE("a registry that a control does not hold for is not evidence, and says why") {
  struct Case {
    const char* rule;
    const char* says;
  };
  const Case cases[] = {
      {".=403", "it refuses instead of saying \"not there\""},
      {".=502", "it fails instead of saying \"not there\""},
      {".=400", "it fails instead of saying \"not there\""},
      {".=200", "it serves what cannot exist"},
      {".=echo", "it serves what cannot exist"},
      {".=login", "it serves what cannot exist"},
      {".=404", "it does not serve what should be there"},
      {".=429", "it refuses instead of saying \"not there\""},
      {".=close", "gave no answer"},
      // Only the answers to what is missing are wrong.
      {"telltale-control=403", "missing module at"},
      {"telltale-control=502", "missing module at"},
      {"telltale-control=echo", "missing module at"},
      {"greeter/@v/v0[.]1=403", "missing version at"},
      {"greeter/@v/v0[.]1=echo", "missing version at"},
  };
  for (const auto& row : cases) {
    INFO(row.rule);
    RegistryServer server({row.rule});
    const auto swept = run(greeter(), server);
    CHECK(verdict(swept) == "NOT EVIDENCE");
    CHECK(says(reasons(swept), row.says));
  }
}

TEST_CASE("a broken control takes findings back too") {
  RegistryServer server({"telltale-control=403", kWidget + "=404"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "NOT EVIDENCE");
  CHECK(says(reasons(swept), "could not be established"));
}

TEST_CASE("a registry that nobody answers for is asked three questions, not all of them") {
  const auto swept = run(greeter(), at({"http://127.0.0.1:1"}));
  CHECK(verdict(swept) == "NOT EVIDENCE");
  CHECK(count(swept, "unknown") == 4);
  CHECK(count(swept, "requests to 127.0.0.1:1") == 3);
  CHECK(says(reasons(swept), "did not run"));  // the controls after
}

TEST_CASE("the known-good module is one that is there") {
  RegistryServer server({"greeter=404"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "FINDINGS");
  for (const auto& control : swept.outcome.record.grounds.controls)
    if (control.polarity == evidence::Polarity::positive)
      CHECK(control.expected == "200 for notes.example/Widget@v1.0.0-RC1");
}

TEST_CASE("private names are a finding and are not asked") {
  RegistryServer server;
  const auto swept = run(reading_of({{"notes.example/clock", "v0.0.0-20260102030405-0123456789ab"},
                                     {"corp/lib", "v1.0.0"}}),
                         server);
  CHECK(verdict(swept) == "FINDINGS");
  CHECK(count(swept, "private required") == 1);
  CHECK(count(swept, "modules needed") == 2);
  for (const auto& line : server.requests()) CHECK_FALSE(test::holds(line, "corp"));
}

TEST_CASE("what has no registry to be asked of blocks clean, unless it is waived") {
  RegistryServer server;
  auto reading = greeter();
  Module local;
  local.ecosystem = "go";
  local.path = "notes.example/local";
  local.version = "v0.0.0";
  local.replaced_by = Replacement{"./local", "", ""};
  local.kind = ModuleKind::local;
  local.reason = "replaced by the folder ./local";
  reading.modules.push_back(local);
  auto swept = run(reading, server);
  CHECK(verdict(swept) == "NOT EVIDENCE");
  CHECK(swept.outcome.record.skipped.size() == 1);

  auto waivers = evidence::Waivers::make(
      "waive", {{"module:notes.example/local@v0.0.0", "lies in the same repository", ""}},
      evidence::now());
  REQUIRE(waivers);
  waivers->apply(swept.outcome.record);
  CHECK(name(evidence::conclude(swept.outcome.record).judgement().verdict()) == "CLEAN");
}

TEST_CASE("an incomplete list blocks clean") {
  RegistryServer server;
  auto reading = greeter();
  reading.incomplete = "go.mod of a Go before 1.17";
  CHECK(verdict(run(reading, server)) == "NOT EVIDENCE");
}

TEST_CASE("nothing to ask is not evidence") {
  RegistryServer server;
  auto reading = greeter();
  for (auto& module : reading.modules) module.kind = ModuleKind::main;
  const auto swept = run(reading, server);
  CHECK(verdict(swept) == "NOT EVIDENCE");
  CHECK(server.log().empty());
}

TEST_CASE("the arithmetic: asked, skipped and unknown are what was parsed") {
  RegistryServer server({kWidget + "=502", "theme=404", "clock=403"});
  auto reading = greeter();
  reading.modules.push_back(reading_of({{"corp/lib", "v1.0.0"}}).modules[0]);
  const auto swept = run(reading, server);
  CHECK(count(swept, "modules read") == 5);
  CHECK(count(swept, "fetchable") + count(swept, "absent") + count(swept, "refused") +
            count(swept, "unknown") + count(swept, "not asked: private") ==
        5);
  CHECK(count(swept, "fetchable") == 1);
}

TEST_CASE("two proxies: the second is asked for what the first has not") {
  RegistryServer first({kWidget + "=404"});
  RegistryServer second({"(greeter|theme|clock)=404"});
  const auto swept = run(greeter(), at({first.url(), second.url()}));
  INFO(reasons(swept));
  CHECK(verdict(swept) == "CLEAN");
  CHECK(swept.outcome.record.grounds.controls.size() == 12);

  RegistryServer refusing({kWidget + "=403"});
  CHECK(verdict(run(greeter(), at({refusing.url(), second.url()}))) == "FINDINGS");
  CHECK(verdict(run(greeter(), at({refusing.url(), second.url()}, true))) == "CLEAN");
}

TEST_CASE("a replacement and its original are asked once where they are the same") {
  RegistryServer server;
  auto reading =
      reading_of({{"notes.example/gadget", "v0.3.0"}, {"notes.example/Widget", "v1.0.0"}});
  reading.modules[1].replaced_by = Replacement{"notes.example/gadget", "v0.3.0", ""};
  const auto swept = run(reading, server);
  CHECK(verdict(swept) == "CLEAN");
  const auto requests = server.requests();
  CHECK(std::count(requests.begin(), requests.end(),
                   "GET /notes.example/gadget/@v/v0.3.0.mod 200") == 1);
}

TEST_CASE("a plan lists names and hosts") {
  auto reading = greeter();
  reading.modules.push_back(reading_of({{"corp/lib", "v1.0.0"}}).modules[0]);
  const auto registry = make_registry("go", settings_of_this_process());
  const auto planned = plan(reading, *registry, at({"https://proxy.example"}), false);
  CHECK(planned.hosts == std::vector<std::string>{"proxy.example"});
  CHECK(planned.asked.size() == 4);
  CHECK(planned.asked[1].second ==
        "https://proxy.example/notes.example/%21widget/@v/v1.0.0-%21r%21c1.info");
  REQUIRE(planned.not_asked.size() == 1);
  CHECK(planned.not_asked[0].first == "corp/lib@v1.0.0");
}

TEST_CASE("every parsed module is a record") {
  RegistryServer server({kWidget + "=404"});
  const auto swept = run(greeter(), server);
  const auto records = module_records(swept.outcome.modules);
  REQUIRE(records.size() == 4);
  CHECK(records[1]["path"] == "notes.example/Widget");
  CHECK(records[1]["version"] == "v1.0.0-RC1");
  CHECK(records[1]["answer"] == "absent");
  CHECK(records[1]["exchanges"][0]["status"] == 404);
  CHECK(records[1]["exchanges"][0]["attempts"] == 2);
  CHECK(records[0]["exchanges"].size() == 4);
}

TEST_CASE("an interrupted sweep says so and loses nothing that it saw") {
  RegistryServer server;
  SweepOptions options;
  int asked = 0;
  options.interrupted_by = [&] { return ++asked > 1 ? 2 : 0; };  // during the survey
  const auto swept = run(greeter(), at({server.url()}), options);
  CHECK(verdict(swept) == "INTERRUPTED");
  CHECK(count(swept, "fetchable") == 4);
}
