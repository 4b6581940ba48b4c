#include "subject/environment.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace telltale::subject;

namespace {

const Pairs kTool = {{"PATH", "/opt/bin:/bin"},
                     {"HOME", "/home/me"},
                     {"CI", "true"},
                     {"GITHUB_ACTIONS", "1"},
                     {"GITHUB_TOKEN", "t"},
                     {"DO_NOT_TRACK", "1"},
                     {"EDITOR", "vi"},
                     {"CITY", "Lisbon"},
                     {"TF_BUILD", "True"},
                     {"BUILDKITE", "true"},
                     {"NEXT_TELEMETRY_DISABLED", "1"}};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("variables of continuous integration are told from those of a user") {
  for (const auto* name : {"CI", "CI_COMMIT_SHA", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL",
                           "BUILDKITE_JOB_ID", "TRAVIS", "CIRCLECI", "TF_BUILD", "RUNNER_OS"})
    CHECK(is_ci_variable(name));
  for (const auto* name :
       {"CITY", "CIRCLE", "GITHUB_TOKEN", "GITLAB_TOKEN", "PATH", "DO_NOT_TRACK"})
    CHECK_FALSE(is_ci_variable(name));
}

TEST_CASE("opt-outs are known by the words in their names") {
  for (const auto* name : {"DO_NOT_TRACK", "DOTNET_CLI_TELEMETRY_OPTOUT", "HOMEBREW_NO_ANALYTICS",
                           "NO_UPDATE_NOTIFIER", "CHECKPOINT_DISABLE"})
    CHECK(is_opt_out(name));
  CHECK_FALSE(is_opt_out("TRACK"));
}

TEST_CASE("a minimal environment has nothing of the tool but PATH") {
  const Identity user{"me", 1000, 1000, {}, "/home/me", "/bin/zsh"};
  const auto given = minimal_environment(kTool, user, "/w/home", "/w/tmp");
  const Pairs expected = {
      {"PATH", "/opt/bin:/bin"}, {"HOME", "/w/home"},   {"TMPDIR", "/w/tmp"}, {"USER", "me"},
      {"LOGNAME", "me"},         {"SHELL", "/bin/zsh"}, {"LANG", "C.UTF-8"}};
  CHECK(given.variables == expected);
  CHECK(given.removed == Names{"CI", "GITHUB_ACTIONS", "DO_NOT_TRACK", "TF_BUILD", "BUILDKITE",
                               "NEXT_TELEMETRY_DISABLED"});
  CHECK(given.opt_outs.empty());
  CHECK(given.inherited == Names{"PATH"});
}

TEST_CASE("a minimal environment has a PATH and a shell even when nobody names one") {
  const auto given = minimal_environment({}, Identity{}, "/h", "/t");
  CHECK(find_variable(given.variables, "PATH")->find("/usr/bin") != std::string::npos);
  CHECK(*find_variable(given.variables, "SHELL") == "/bin/sh");
}

TEST_CASE("a user's own environment loses the variables of continuous integration alone") {
  const auto given = own_environment(kTool);
  CHECK(given.removed == Names{"CI", "GITHUB_ACTIONS", "TF_BUILD", "BUILDKITE"});
  CHECK(given.opt_outs == Names{"DO_NOT_TRACK", "NEXT_TELEMETRY_DISABLED"});
  CHECK(given.variables.size() == kTool.size() - given.removed.size());
  CHECK(*find_variable(given.variables, "GITHUB_TOKEN") == "t");
}

TEST_CASE("what the tool passes on is inherited until something else is written in its place") {
  auto given = own_environment({{"MYTOKEN", "supersecret"}, {"LANG", "C"}});
  CHECK(given.inherited == Names{"MYTOKEN", "LANG"});
  given.set("LANG", "C.UTF-8");
  CHECK(given.inherited == Names{"MYTOKEN"});
  CHECK(*find_variable(given.variables, "MYTOKEN") == "supersecret");
}

TEST_CASE("the tool's environment is read as it is") {
  setenv("TELLTALE_TEST_VARIABLE", "a=b", 1);
  const auto variables = tool_environment();
  CHECK(*find_variable(variables, "TELLTALE_TEST_VARIABLE") == "a=b");
  unsetenv("TELLTALE_TEST_VARIABLE");
}

TEST_CASE("a variable that is set again keeps its place") {
  Pairs variables = {{"A", "1"}, {"B", "2"}};
  set_variable(variables, "A", "3");
  set_variable(variables, "C", "4");
  CHECK(variables == Pairs{{"A", "3"}, {"B", "2"}, {"C", "4"}});
  CHECK(find_variable(variables, "D") == nullptr);
}
