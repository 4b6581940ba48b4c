// A registry whose controls do not hold, and a sweep that is broken off.
#include <algorithm>
#include <nlohmann/json.hpp>

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

TEST_CASE("the known-good module is one that is there") {
  RegistryServer server({"greeter=404"});
  const auto swept = run(greeter(), server);
  CHECK(verdict(swept) == "FINDINGS");
  for (const auto& control : swept.outcome.record.grounds.controls)
    if (control.polarity == evidence::Polarity::positive)
      CHECK(control.expected == "200 for notes.example/Widget@v1.0.0-RC1");
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
