#include "subject/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace telltale::subject {

namespace {

constexpr auto kPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

constexpr std::array<std::string_view, 22> kCiNames = {"CI",
                                                       "CI_NAME",
                                                       "CONTINUOUS_INTEGRATION",
                                                       "BUILD_ID",
                                                       "BUILD_NUMBER",
                                                       "BUILD_URL",
                                                       "JOB_NAME",
                                                       "RUN_ID",
                                                       "TF_BUILD",
                                                       "TEAMCITY_VERSION",
                                                       "NETLIFY",
                                                       "VERCEL",
                                                       "NOW_BUILDER",
                                                       "BUDDY",
                                                       "STRIDER",
                                                       "CF_BUILD_ID",
                                                       "GO_PIPELINE_LABEL",
                                                       "GITEA_ACTIONS",
                                                       "FORGEJO_ACTIONS",
                                                       "HEROKU_TEST_RUN_ID",
                                                       "HUDSON_URL",
                                                       "SYSTEM_TEAMFOUNDATIONCOLLECTIONURI"};

constexpr std::array<std::string_view, 17> kCiPrefixes = {
    "APPVEYOR", "BITBUCKET_", "BITRISE_",   "BUILDKITE", "CI_",       "CIRCLECI",
    "CIRCLE_",  "CIRRUS_",    "CODEBUILD_", "DRONE",     "GITHUB_",   "GITLAB_",
    "JENKINS_", "RUNNER_",    "SEMAPHORE",  "TRAVIS",    "WOODPECKER"};

constexpr std::array<std::string_view, 10> kOptOutParts = {
    "TELEMETRY", "ANALYTICS", "DO_NOT_TRACK",    "DONT_TRACK",   "NO_TRACKING",
    "OPT_OUT",   "OPTOUT",    "UPDATE_NOTIFIER", "UPDATE_CHECK", "CHECKPOINT_DISABLE"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_ci_variable(std::string_view name) {
  if (contains(kCiNames, name)) return true;
  if (name.ends_with("_TOKEN")) return false;  // a credential of its user, in CI or not
  return std::any_of(kCiPrefixes.begin(), kCiPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_opt_out(std::string_view name) {
  return std::any_of(kOptOutParts.begin(), kOptOutParts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

void GivenEnvironment::take_away(const std::string& name) {
  const auto had = std::erase_if(variables, [&](const auto& pair) { return pair.first == name; });
  if (had == 0) return;
  std::erase(inherited, name);
  std::erase(opt_outs, name);
  removed.push_back(name);
}

void GivenEnvironment::set(const std::string& name, const std::string& value) {
  set_variable(variables, name, value);
  std::erase(inherited, name);
}

GivenEnvironment minimal_environment(const Pairs& tool, const Identity& user,
                                     const std::filesystem::path& home,
                                     const std::filesystem::path& tmp) {
  GivenEnvironment given;
  for (const auto& [name, value] : tool)
    if (is_ci_variable(name) || is_opt_out(name)) given.removed.push_back(name);
  const std::string* path = find_variable(tool, "PATH");
  given.variables = {{"PATH", path != nullptr ? *path : kPath},
                     {"HOME", home.string()},
                     {"TMPDIR", tmp.string()},
                     {"USER", user.name},
                     {"LOGNAME", user.name},
                     {"SHELL", user.shell.empty() ? "/bin/sh" : user.shell},
                     {"LANG", "C.UTF-8"}};
  if (path != nullptr) given.inherited.emplace_back("PATH");
  return given;
}

GivenEnvironment own_environment(const Pairs& tool) {
  GivenEnvironment given;
  for (const auto& [name, value] : tool) {
    if (is_ci_variable(name)) {
      given.removed.push_back(name);
      continue;
    }
    given.variables.emplace_back(name, value);
    given.inherited.push_back(name);
    if (is_opt_out(name)) given.opt_outs.push_back(name);
  }
  return given;
}

std::filesystem::path own_home_of(const std::string& user) {
  const char* home = std::getenv("HOME");
  if (user.empty() && home != nullptr && *home != '\0') return home;
  const auto identity = find_identity(user);
  return identity ? identity->home : std::string();
}

Pairs tool_environment() {
  Pairs variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

void set_variable(Pairs& variables, const std::string& name, const std::string& value) {
  for (auto& [known, old] : variables) {
    if (known != name) continue;
    old = value;
    return;
  }
  variables.emplace_back(name, value);
}

const std::string* find_variable(const Pairs& variables, std::string_view name) {
  for (const auto& [known, value] : variables)
    if (known == name) return &value;
  return nullptr;
}

}  // namespace telltale::subject
