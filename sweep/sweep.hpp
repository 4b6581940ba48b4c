// The module half of the self lane: is every module that the program is built from fetchable by
// anyone, with no credential?
//
// A reader gave the modules (readers/reader.hpp), a registry is asked (registries/registry.hpp,
// through survey.hpp), controls bracket the asking (controls.hpp), and everything is counted:
// asked + skipped with its reason + unknown = parsed. The verdict is evidence's, never this room's.
//
// "Fetchable" is not "can be built": nothing is downloaded but names and go.mod files (of an
// archive it is asked whether it is there), no hash is compared, nothing is built.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "evidence/lane_result.hpp"
#include "evidence/result.hpp"
#include "sweep/readers/reader.hpp"
#include "sweep/survey.hpp"

namespace telltale::evidence {
class EvidenceFolder;
struct HostStamp;
}  // namespace telltale::evidence

namespace telltale::sweep {

struct SweepOptions {
  bool ask_private = false;  // names that the user's settings call private go out too
  const evidence::HostStamp* host = nullptr;  // for the row that times the sweep; nullptr: no row
  std::function<int()> interrupted_by;        // SIGINT, SIGTERM or 0; may be empty
};

struct SweepOutcome {
  // Of the lane "self": claim, grounds, rows, the table of modules, limits, skipped. A lane that
  // does more than modules merges it into its own. What was not looked at is named for a waiver:
  // "module:PATH@VERSION", and "modules" for a list that is incomplete.
  evidence::LaneRecord record;
  std::vector<ModuleAnswer> modules;  // every parsed module, in the order of the reading
};

// `registry` is one of the reading's ecosystem. One that cannot be reached is an outcome: NOT
// EVIDENCE.
[[nodiscard]] SweepOutcome sweep(Reading reading, const Registry& registry,
                                 const Endpoints& endpoints, Fetcher& fetcher,
                                 const SweepOptions& options);

// What would be asked, and what would not: one line each. Sends nothing.
struct Plan {
  std::vector<std::string> hosts;
  std::vector<std::pair<std::string, std::string>> asked;      // module, the first question's URL
  std::vector<std::pair<std::string, std::string>> not_asked;  // module, reason
};
[[nodiscard]] Plan plan(Reading reading, const Registry& registry, const Endpoints& endpoints,
                        bool ask_private);

// The records of self/modules.jsonl, one a parsed module.
[[nodiscard]] std::vector<nlohmann::json> module_records(const std::vector<ModuleAnswer>& modules);
// Writes them into the evidence folder.
[[nodiscard]] Result<> keep_modules(const evidence::EvidenceFolder& folder,
                                    const std::vector<ModuleAnswer>& modules);

}  // namespace telltale::sweep
