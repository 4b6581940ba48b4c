// A registry whose controls do not hold, and a sweep that is broken off.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "support/catch.hpp"
#include "sweep/says.hpp"
#include "sweep/sweep.hpp"
#include "sweep/swept.hpp"

using namespace telltale;
using namespace telltale::sweep;
using namespace telltale::test;

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

TEST_CASE("the known-good module is one that is there, and so is the one of the missing version") {
  RegistryServer server({"greeter=404"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "FINDINGS");
  int versions = 0;
  for (const auto& control : swept.outcome.record.grounds.controls) {
    if (control.polarity == evidence::Polarity::positive)
      CHECK(control.expected == "200 for notes.example/Widget@v1.0.0-RC1");
    if (!control.name.starts_with("missing version")) continue;
    ++versions;
    CHECK(says(control.expected, "404 or 410 for notes.example/Widget@v"));
  }
  CHECK(versions == 2);
}

// The registry holds nothing of the list, which is then a finding and no failure of the registry:
// five of the list are tried, then the module that everybody has.
TEST_CASE(
    "where no module of the list is there, one that everybody has shows that the registry serves") {
  const auto registry = make_registry("go", settings_of_this_process());
  const auto known = registry->well_known();
  test::TemporaryFolder root;
  root.write(registry->existence(known).path.substr(1), "{\"Version\":\"" + known.version + "\"}");
  RegistryServer server({}, root.path());
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto* name : {"a", "b", "c", "d", "e", "f", "g"})
    list.emplace_back(std::string("notes.example/") + name, "v1.0.0");
  const auto swept = run(reading_of(list), server);
  CHECK(verdict(swept) == "FINDINGS");
  CHECK(count(swept, "absent") == 7);
  const auto requests = server.requests();
  const auto asked = [&](const std::string& path) {
    return std::count(requests.begin(), requests.end(), "GET " + path + " 404");
  };
  // Twice in the survey, as an absent one is.
  CHECK(asked("/notes.example/e/@v/v1.0.0.info") == 3);
  CHECK(asked("/notes.example/f/@v/v1.0.0.info") == 2);
}

// One that a cache has seen before could be answered by the cache in the registry's place.
TEST_CASE("what is asked for and cannot exist is another one each time") {
  RegistryServer server;
  (void)run(greeter(), server);
  (void)run(greeter(), server);
  std::set<std::string> modules, versions;
  for (const auto& line : server.requests()) {
    if (test::holds(line, "telltale-control-")) modules.insert(line);
    if (test::holds(line, "greeter/@v/v0.1")) versions.insert(line);
  }
  CHECK(modules.size() == 4);
  CHECK(versions.size() == 4);
}

TEST_CASE("an interrupted sweep says so and loses nothing that it saw") {
  RegistryServer server;
  SweepOptions options;
  int asked = 0;
  options.interrupted_by = [&] { return ++asked > 1 ? 2 : 0; };  // during the survey
  const auto swept = run(greeter(), at({server.url()}), options);
  CHECK(verdict(swept) == "INTERRUPTED");
  CHECK(count(swept, "fetchable") == 4);
  CHECK_FALSE(swept.outcome.record.grounds.observers.at(0).ended);
}
