// Every test that makes a results.json validates it here:
//
//   CHECK(results_faults(to_json(run)) == NoFaults{});
//   CHECK(results_faults_in(folder / "results.json") == NoFaults{});
//
// Link telltale_results_schema. tests/bin/validate_results does the same on a command line.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace telltale::test {

using NoFaults = std::vector<std::string>;

// Against evidence/results.schema.json, and what a schema cannot say: finding ids are unique, a
// lane appears once, table rows are as long as their columns, ends are not before starts, every
// proof observer of a CLEAN lane has a control, required and missing controls do not overlap.
[[nodiscard]] std::vector<std::string> results_faults(const nlohmann::json& document);

// Likewise for a file; a file that cannot be read or parsed is one fault.
[[nodiscard]] std::vector<std::string> results_faults_in(const std::filesystem::path& file);

}  // namespace telltale::test
