#include "evidence/exit_status.hpp"

#include <stdexcept>

namespace telltale::evidence {

const std::vector<ExitStatusRow>& exit_status_table() {
  static const std::vector<ExitStatusRow> table{
      {ExitStatus::clean, "CLEAN",
       "the claim held, every control held, every observer ran to the end"},
      {ExitStatus::findings, "FINDINGS",
       "at least one thing that contradicts the claim, each listed"},
      {ExitStatus::usage, "usage", "bad arguments, unreadable or invalid input: no run"},
      {ExitStatus::not_evidence, "NOT EVIDENCE",
       "a control failed, an observer failed or lost data, or nothing was examined; also a CLEAN "
       "under reduced assurance without --accept-reduced"},
      {ExitStatus::interrupted, "interrupted",
       "stopped by SIGINT; what was seen so far is kept and marked unfinished"},
      {ExitStatus::terminated, "interrupted",
       "stopped by SIGTERM; what was seen so far is kept and marked unfinished"},
  };
  return table;
}

const ExitStatusRow& describe(ExitStatus status) {
  for (const auto& row : exit_status_table())
    if (row.status == status) return row;
  throw std::invalid_argument("an exit status that is not in the table");
}

}  // namespace telltale::evidence
