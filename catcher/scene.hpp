// What is going on while the observers watch: which launch, which phase, and which processes are
// the subject's. One Scene is shared by the lane, which changes it, and the observers' threads.
#pragma once

#include <sys/types.h>

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace telltale::catcher {

struct Moment {
  int launch = 0;
  std::string phase;
};

class Scene {
 public:
  using ProcessList = std::function<std::vector<pid_t>()>;

  // `descendants` lists every process that this run has started, control callers included; it must
  // be safe to call from any thread.
  explicit Scene(ProcessList descendants) : descendants_(std::move(descendants)) {}

  void set(int launch, std::string phase);
  [[nodiscard]] Moment moment() const;

  // Processes that this tool started to prove an observer: what they do is no attempt.
  void add_caller(pid_t pid);
  [[nodiscard]] bool is_caller(pid_t pid) const;

  [[nodiscard]] std::vector<pid_t> processes() const { return descendants_(); }

 private:
  mutable std::mutex mutex_;
  ProcessList descendants_;
  Moment moment_;
  std::set<pid_t> callers_;
};

}  // namespace telltale::catcher
