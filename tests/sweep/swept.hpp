// What the tests of a whole sweep share: a list of modules, a scripted registry, and what came out.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sweep/registry_server.hpp"
#include "sweep/sweep.hpp"

namespace telltale::test {

struct Swept {
  sweep::SweepOutcome outcome;
  evidence::LaneResult result;
};

// The four modules of fixtures/go/greeter, which the registry server serves.
[[nodiscard]] sweep::Reading greeter();
// Path and version of each.
[[nodiscard]] sweep::Reading reading_of(std::vector<std::pair<std::string, std::string>> modules);
[[nodiscard]] sweep::Endpoints at(std::vector<std::string> addresses, bool on_any_error = false);

[[nodiscard]] Swept run(const sweep::Reading& reading, const sweep::Endpoints& endpoints,
                        sweep::SweepOptions options = {});
[[nodiscard]] Swept run(const sweep::Reading& reading, const RegistryServer& server);

[[nodiscard]] std::string verdict(const Swept& swept);
[[nodiscard]] std::string reasons(const Swept& swept);
// Of the row by that name, which must be there.
[[nodiscard]] std::int64_t count(const Swept& swept, const std::string& row);

inline const std::string kWidget = "/notes.example/!widget/@v/v1.0.0-!r!c1";

}  // namespace telltale::test
