// What the list of modules holds: private, local, replaced, incomplete; and what is made of it.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "evidence/waivers.hpp"
#include "support/catch.hpp"
#include "sweep/says.hpp"
#include "sweep/sweep.hpp"
#include "sweep/swept.hpp"

using namespace telltale;
using namespace telltale::sweep;
using namespace telltale::test;

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

TEST_CASE("two proxies that both do not serve it: it is what the less certain one said") {
  RegistryServer refusing({kWidget + "=403"}), empty({kWidget + "=404"});
  for (const auto& swept : {run(greeter(), at({refusing.url(), empty.url()}, true)),
                            run(greeter(), at({empty.url(), refusing.url()}, true))}) {
    CHECK(verdict(swept) == "FINDINGS");
    CHECK(count(swept, "refused") == 1);
    CHECK(count(swept, "absent") == 0);
    CHECK(
        says(swept.outcome.record.grounds.findings.at(0).what, refusing.host() + " answered 403"));
  }
}

TEST_CASE("a list that is not what the program is built from says so in the headline") {
  RegistryServer server;
  const auto file = std::filesystem::path(TELLTALE_FIXTURES) / "lockfiles/go/go.sum";
  const auto swept = run(*read_modules(file), server);
  CHECK(verdict(swept) == "CLEAN");
  CHECK(says(swept.result.headline(), ", read from go.sum)"));
  CHECK_FALSE(test::holds(run(greeter(), server).result.headline(), "read from"));
}

TEST_CASE("a module without a hash is counted") {
  RegistryServer server;
  auto reading = greeter();
  CHECK(count(run(reading, server), "without a recorded hash") == 0);
  reading.modules[1].sum.clear();
  CHECK(count(run(reading, server), "without a recorded hash") == 1);
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
