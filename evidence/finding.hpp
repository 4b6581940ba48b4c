// What contradicts the claim, what was not looked at, and what the user has waived.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "evidence/instant.hpp"

namespace telltale::evidence {

// One thing that contradicts the claim.
struct Finding {
  std::string id;                      // "egress-1": unique in the run, stable within one result
  std::string what;                    // one sentence for a person
  std::string where;                   // destination, module or file
  std::vector<std::string> seen_by;    // observers
  std::optional<Instant> first, last;  // when it was seen
  std::vector<std::pair<std::string, std::string>> details;  // name and value, in order
  // A finding that only means something while these controls held ("absent" of a registry that
  // answers). Empty: it stands by itself; what was seen was seen.
  std::vector<std::string> rests_on;
};

// Something that was not looked at. It blocks CLEAN unless it is waived.
struct Unexamined {
  std::string key;  // as `waive: { what: ... }` names it: "listener:9000", "file:/tmp/x", "modules"
  std::string what;    // one sentence: "0.0.0.0:9000 was never asked"
  std::string waived;  // the reason of the waiver that covers it; empty: it blocks
};

// An entry of `waive:` or `egress: allow:`. An expired one covers nothing and is a finding.
struct Waiver {
  std::string what;
  std::string reason;
  std::string until;  // YYYY-MM-DD, the last day on which it holds; empty: no expiry
  bool expired = false;
  bool used = false;  // something in this run was covered by it
};

// What this run cannot say, even when every control held.
struct Limit {
  std::string what;
};

}  // namespace telltale::evidence
