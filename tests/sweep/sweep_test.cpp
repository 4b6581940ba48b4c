// What is asked, and what each answer comes to.
#include "sweep/sweep.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "sweep/says.hpp"
#include "sweep/swept.hpp"

using namespace telltale;
using namespace telltale::sweep;
using namespace telltale::test;

namespace {

// "module: answer, published as" of each.
std::vector<std::string> answers(const Swept& swept) {
  std::vector<std::string> all;
  for (const auto& one : swept.outcome.modules)
    all.push_back(one.module.label() + ": " + std::string(name(one.answer)) + ", " +
                  std::string(name(one.publication)));
  return all;
}

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

TEST_CASE("a web page in an archive's place is no archive") {
  RegistryServer server({kWidget + "[.]zip=login"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "NOT EVIDENCE");
  CHECK(count(swept, "unknown") == 1);
  CHECK(says(reasons(swept), "its .zip: the answer is a web page, no archive"));
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
