// The exit statuses of every tool, in one place. README.md and the manual page have the same table;
// a test compares them.
#pragma once

#include <string_view>
#include <vector>

namespace telltale::evidence {

enum class ExitStatus : int {
  clean = 0,          // CLEAN; of `cipher search`: NOT FOUND
  findings = 1,       // FINDINGS; of `cipher search`: FOUND
  usage = 2,          // bad arguments, unreadable or invalid input: no run
  not_evidence = 3,   // NOT EVIDENCE, or CLEAN under reduced assurance that nobody accepted
  interrupted = 130,  // SIGINT; what was seen so far is kept and marked unfinished
  terminated = 143    // SIGTERM; likewise
};

struct ExitStatusRow {
  ExitStatus status;
  std::string_view name;     // "CLEAN", as the reports print it
  std::string_view meaning;  // one line for --help, README and the manual page

  [[nodiscard]] int number() const { return static_cast<int>(status); }
};

// Every status once, by number.
[[nodiscard]] const std::vector<ExitStatusRow>& exit_status_table();
[[nodiscard]] const ExitStatusRow& describe(ExitStatus status);

}  // namespace telltale::evidence
