// The variables that a subject is given.
//
// A subject of subject.yaml gets a minimal environment: nothing of the tool's own reaches it but
// PATH. A command after `--` keeps its user's environment. Two kinds of variables make a program
// behave as it would not at its users':
//   - those of continuous integration: many programs stay quiet in CI. They are taken out.
//   - opt-outs (DO_NOT_TRACK, ..._TELEMETRY...). A subject of subject.yaml does not get them. A
//     command after `--` keeps them: the tool must not make it send what its user has opted out of.
// Both are named, so that the results can say what was not tried.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "subject/identity.hpp"
#include "subject/specification.hpp"

namespace telltale::subject {

struct GivenEnvironment {
  Pairs variables;
  std::vector<std::string> removed;    // names that the tool has and the subject was not given
  std::vector<std::string> opt_outs;   // names that it was given and that may keep it quiet
  std::vector<std::string> inherited;  // names whose values are the tool's own; never shown

  void take_away(const std::string& name);
  void set(const std::string& name, const std::string& value);  // not inherited from here on
};

// GITHUB_ACTIONS, CI, TF_BUILD, ... A user's own GITHUB_TOKEN or the like is none.
[[nodiscard]] bool is_ci_variable(std::string_view name);
[[nodiscard]] bool is_opt_out(std::string_view name);

// PATH, HOME, TMPDIR, USER, LOGNAME, SHELL and LANG=C.UTF-8. The zone of time is the machine's.
[[nodiscard]] GivenEnvironment minimal_environment(const Pairs& tool, const Identity& user,
                                                   const std::filesystem::path& home,
                                                   const std::filesystem::path& tmp);
// The tool's own, without the variables of continuous integration.
[[nodiscard]] GivenEnvironment own_environment(const Pairs& tool);

// HOME of whoever runs the tool, or of `user` as the password file says it. Empty: there is none.
[[nodiscard]] std::filesystem::path own_home_of(const std::string& user);

[[nodiscard]] Pairs tool_environment();  // environ(7)
// Replaces the value in place, or adds it at the end.
void set_variable(Pairs& variables, const std::string& name, const std::string& value);
[[nodiscard]] const std::string* find_variable(const Pairs& variables, std::string_view name);

}  // namespace telltale::subject
