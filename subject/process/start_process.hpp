// What every enclosure's start has in common: the plan is prepared, a process is forked in which
// Child runs, its exec is waited for, and what went wrong there is said.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "evidence/result.hpp"
#include "subject/process.hpp"
#include "subject/process/child.hpp"

namespace telltale::subject {

// How an enclosure forks.
class Birth {
 public:
  virtual ~Birth() = default;
  // The pid of a child of the tool in which child.run() runs; <= 0, or `error` filled: none.
  [[nodiscard]] virtual pid_t fork(const Child& child, std::string& error) = 0;
  // In the tool, while the child is still on its way to the exec.
  virtual void forked(pid_t) {}
};

[[nodiscard]] Result<std::unique_ptr<Process>> start_process(ProcessPlan plan, Birth& birth);

}  // namespace telltale::subject
