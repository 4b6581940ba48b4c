// The exit statuses of every tool, in one place. README.md has the same table; a test compares them.
#pragma once

namespace telltale::evidence {

enum class ExitStatus : int {
  clean = 0,         // CLEAN; of `cipher search`: NOT FOUND
  findings = 1,      // FINDINGS; of `cipher search`: FOUND
  usage = 2,         // bad arguments, unreadable or invalid input: no run
  not_evidence = 3,  // NOT EVIDENCE, or CLEAN under reduced assurance that nobody accepted
  interrupted = 130, // SIGINT; what was seen so far is kept and marked unfinished
  terminated = 143   // SIGTERM; likewise
};

}  // namespace telltale::evidence
