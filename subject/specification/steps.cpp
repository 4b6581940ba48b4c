#include "subject/specification/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/suggest.hpp"
#include "subject/specification/calls.hpp"
#include "subject/specification/values.hpp"

namespace telltale::subject {

namespace {

std::vector<std::string> known_in(const std::vector<Captured>& captured, const std::string& phase) {
  std::vector<std::string> names;
  for (const auto& variable : captured)
    if (variable.phase.empty() || variable.phase == phase) names.push_back(variable.name);
  return names;
}

// A name that the launch sets itself would be overwritten, or overwrite.
bool is_taken(const std::string& name) {
  const auto taken = {"work", "data", "home", "tmp", "source", "binary", "key", "port", "canary"};
  return std::find(taken.begin(), taken.end(), name) != taken.end();
}

std::map<std::string, std::string> read_capture(const View& view, const Scope& none) {
  std::map<std::string, std::string> capture;
  if (!view.is(Node::Kind::map)) {
    view.wrong_type("a map", "write { name: /json/pointer }");
    return capture;
  }
  for (const auto& entry : view.node().entries) {
    const auto value = view.child(*entry.value, entry.key);
    if (!is_name(entry.key) || is_taken(entry.key))
      view.mistakes().add(
          {entry.place, fmt::format("'{}' cannot be the name of a captured value", entry.key),
           "a letter, then letters, digits, _ or -; none of the tool's own, as data or key"});
    const auto pointer = value.in(none).text();
    if (pointer && !is_json_pointer(*pointer))
      value.mistake(fmt::format("{} is no JSON pointer: '{}'", value.path(), *pointer),
                    "it begins with a slash: /access_token, /items/0/id");
    if (pointer) capture[entry.key] = *pointer;
  }
  return capture;
}

std::string read_phase(const Section& section, const Names& names) {
  std::string phase;
  section.take("phase", &View::name, phase);
  const bool known =
      std::find(names.phases.begin(), names.phases.end(), phase) != names.phases.end();
  if (!phase.empty() && !known)
    section.at("phase")->bad_reference(
        fmt::format("phases: has no '{}'{}", phase, evidence::did_you_mean(phase, names.phases)),
        names.phases.empty() ? fmt::format("add phases: {{ {}: {{ env: ... }} }}", phase)
                             : fmt::format("phases: {}", fmt::join(names.phases, ", ")));
  return phase;
}

std::vector<std::string> kinds_of(std::string_view shape) {
  if (shape == "setup") return {"exec"};
  if (shape == "door") return {"http", "mcp", "tcp", "unix", "exec", "page"};
  return {"http", "mcp", "tcp", "unix", "exec"};
}

Step read_step(const View& view, const StepRules& rules, const Names& names) {
  const Section section(view, {rules.shape});
  Step step;
  step.where = view.place();
  section.take("name", names.none, &View::filled, step.name);
  const auto kinds = kinds_of(rules.shape);
  // A set-up step without exec lacks a required key, and that has been said.
  const auto kind = kinds.size() == 1 ? kinds.front() : section.one_of(kinds);
  step.call = read_call(section, kind, names);
  if (const auto expect = section.at("expect")) step.expect = read_expectation(*expect, step.call);
  if (const auto capture = section.at("capture")) step.capture = read_capture(*capture, names.none);
  if (rules.shape != "door") return step;
  section.take("once", &View::flag, step.once);
  step.phase = read_phase(section, names);
  return step;
}

void check_name(const View& view, const std::vector<Step>& earlier, const Step& step) {
  const auto same = std::find_if(earlier.begin(), earlier.end(),
                                 [&](const Step& other) { return other.name == step.name; });
  if (same == earlier.end() || step.name.empty()) return;
  const auto* entry = view.node().find("name");
  view.mistakes().add({entry == nullptr ? view.place() : entry->value->place,
                       fmt::format("the name '{}' is that of the step at {}:{} too", step.name,
                                   same->where.line, same->where.column),
                       "give each its own name"});
}

// The phase decides which captured names are known, so it is needed before the texts are read.
std::string phase_of(const Node& step) {
  const auto* entry = step.find("phase");
  return entry == nullptr ? "" : entry->value->text;
}

}  // namespace

std::vector<Step> read_steps(const Section& parent, const StepRules& rules, const Scope& scope,
                             const Names& names, std::vector<Captured>& captured) {
  std::vector<Step> steps;
  for (const auto& view : parent.items(rules.key)) {
    const auto known = scope.with(known_in(captured, phase_of(view.node())));
    auto step = read_step(view.in(known), rules, names);
    if (step.name.empty() && !view.node().find("name"))
      step.name = fmt::format("{} {}", rules.key, steps.size() + 1);
    check_name(view, steps, step);
    for (const auto& [name, pointer] : step.capture) captured.push_back({name, step.phase});
    steps.push_back(std::move(step));
  }
  return steps;
}

const Step* first_that_connects(const std::vector<Step>& steps) {
  const auto found = std::find_if(steps.begin(), steps.end(), [](const Step& step) {
    const auto* mcp = std::get_if<McpCall>(&step.call);
    const bool program = std::holds_alternative<ExecCall>(step.call);
    return !program && (mcp == nullptr || mcp->command.empty());
  });
  return found == steps.end() ? nullptr : &*found;
}

}  // namespace telltale::subject
