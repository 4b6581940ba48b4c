#include "sweep/sweep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <list>

#include "sweep/address.hpp"
#include "sweep/controls.hpp"
#include "sweep/sweep_record.hpp"

namespace telltale::sweep {

namespace {

// The controls of every endpoint.
class Bracket {
 public:
  Bracket(const Registry& registry, const Endpoints& endpoints, const std::vector<Module>& modules,
          Fetcher& fetcher) {
    std::vector<Module> candidates;
    std::copy_if(modules.begin(), modules.end(), std::back_inserter(candidates),
                 [](const Module& module) { return module.asked(); });
    if (candidates.empty()) return;  // nothing will be asked, so no host has to be believed
    for (const auto& endpoint : endpoints.list)
      controls_.emplace_back(registry, endpoint, candidates, fetcher);
  }

  void run(const std::string& when) {
    for (auto& controls : controls_)
      if (!controls.silent() || when == "before") controls.run(when);
  }

  // Why nothing more need be asked; "" when at least one endpoint answers.
  [[nodiscard]] std::string silence() const {
    std::string why;
    for (const auto& controls : controls_) {
      if (!controls.silent()) return {};
      why = controls.silence();
    }
    return why;
  }

  void fill(evidence::Grounds& grounds) const {
    for (const auto& one : controls_) {
      const auto names = one.required();
      grounds.required_controls.insert(grounds.required_controls.end(), names.begin(), names.end());
      grounds.controls.insert(grounds.controls.end(), one.controls().begin(), one.controls().end());
    }
  }

 private:
  std::list<Controls> controls_;
};

evidence::ObserverRecord observer() {
  evidence::ObserverRecord record;
  record.name = "registry client";
  record.role = evidence::Role::proof;
  record.sees = "what the registry answers to anyone who asks without a credential";
  record.misses = "other registries; what a credential would open; the source itself";
  record.started = evidence::now();
  return record;
}

std::vector<ModuleAnswer> unasked(const std::vector<Module>& modules, const std::string& why) {
  std::vector<ModuleAnswer> answers;
  for (const auto& module : modules) {
    answers.push_back(unanswered(module));
    if (module.asked()) answers.back().reason = why;
  }
  return answers;
}

int signal_of(const SweepOptions& options) {
  return options.interrupted_by ? options.interrupted_by() : 0;
}

}  // namespace

SweepOutcome sweep(Reading reading, const Registry& registry, const Endpoints& endpoints,
                   Fetcher& fetcher, const SweepOptions& options) {
  for (auto& module : reading.modules) registry.screen(module, options.ask_private);
  SweepOutcome outcome;
  const auto start = std::chrono::steady_clock::now();
  auto watcher = observer();
  Bracket bracket(registry, endpoints, reading.modules, fetcher);
  bracket.run("before");
  const auto silence = bracket.silence();
  if (silence.empty() && signal_of(options) == 0)
    outcome.modules = survey(reading.modules, registry, endpoints.list, fetcher);
  else
    outcome.modules = unasked(reading.modules, silence.empty() ? "interrupted"
                                                               : "not asked, because the registry "
                                                                 "gave no answer: " +
                                                                     silence);
  if (signal_of(options) == 0) bracket.run("after");
  if (signal_of(options) == 0) watcher.ended = evidence::now();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;

  auto& grounds = outcome.record.grounds;
  bracket.fill(grounds);
  grounds.observers.push_back(std::move(watcher));
  grounds.interrupted_by = signal_of(options);
  fill_record(outcome.record, outcome.modules,
              {reading, registry, endpoints, fetcher, options, took.count()});
  return outcome;
}

Plan plan(Reading reading, const Registry& registry, const Endpoints& endpoints, bool ask_private) {
  Plan plan;
  for (const auto& endpoint : endpoints.list) plan.hosts.push_back(host_of(endpoint.address));
  for (auto& module : reading.modules) {
    registry.screen(module, ask_private);
    if (module.asked())
      plan.asked.emplace_back(module.label(),
                              endpoints.list.front().address + registry.existence(module).path);
    else
      plan.not_asked.emplace_back(module.label(), module.reason);
  }
  return plan;
}

}  // namespace telltale::sweep
