// Carries the questions about many modules to one registry, endpoint by endpoint, and gathers what
// came back. Each question is asked once a run, however many modules share it.
#pragma once

#include <string>
#include <vector>

#include "sweep/fetcher.hpp"
#include "sweep/registries/registry.hpp"

namespace telltale::sweep {

// One question and its answer, as it stands in the evidence.
struct Exchange {
  std::string what;   // "info", "mod", "zip", "list"
  Response response;  // its body is dropped
  Judged judged;
};

struct ModuleAnswer {
  Module module;
  Answer answer = Answer::unknown;  // of a module that was asked
  std::string reason;               // why not fetchable, one clause, naming the host
  Publication publication = Publication::unknown;
  bool flapping = false;            // absent at first, served when asked again
  std::vector<Exchange> exchanges;  // in the order asked; empty: it was not asked
};

[[nodiscard]] ModuleAnswer unanswered(const Module& module);

// Asks for every module that is to be asked; the others are handed back as they are. The order is
// kept. With several endpoints a module goes on to the next one as a client of the registry would;
// one that ends unserved is unknown if any endpoint's answer was, else refused if any was.
[[nodiscard]] std::vector<ModuleAnswer> survey(const std::vector<Module>& modules,
                                               const Registry& registry,
                                               const std::vector<Endpoint>& endpoints,
                                               Fetcher& fetcher);

}  // namespace telltale::sweep
