#include "subject/launch/stopping.hpp"

#include <unistd.h>

#include <csignal>
#include <functional>
#include <set>
#include <thread>

#include "subject/process/children.hpp"
#include "subject/wire/deadline.hpp"

namespace telltale::subject {

namespace {

constexpr Milliseconds kSettling{250};    // for children that end with their parent
constexpr Milliseconds kKilling{10'000};  // for the kernel to take killed processes away

// Looks again after 1, 2, 4, ... 20 ms; true when nobody is left in time.
bool gone_within(ProcessTree& tree, Milliseconds time, const std::function<void()>& between = {}) {
  const Deadline deadline(time);
  Milliseconds pause{1};
  while (!tree.look().empty()) {
    if (deadline.left_ms() == 0) return false;
    if (between) between();
    std::this_thread::sleep_for(std::min(pause, Milliseconds(deadline.left_ms())));
    pause = std::min(pause * 2, Milliseconds(20));
  }
  return true;
}

void signal_all(ProcessTree& tree, int number) {
  for (const auto& entry : tree.look()) signal_process(entry, number);
}

std::vector<std::string> names_of(const std::vector<ProcessEntry>& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries)
    names.push_back(std::to_string(entry.pid) + " " + executable_of(entry.pid));
  return names;
}

// The stop signal once to each process that no other of the tree has started (its parent is this
// tool, or process 1 of a PID namespace of ours): it knows best how its own children end. A child
// that becomes an orphan meanwhile is asked then.
class Asker {
 public:
  Asker(ProcessTree& tree, int number) : tree_(tree), number_(number) {}

  void operator()() {
    for (const auto& entry : tree_.look()) {
      const bool orphan = entry.parent == getpid() || known_reaper(entry.parent);
      if (!orphan || !asked_.insert(entry.pid).second) continue;
      signal_process(entry, number_);
      signal_process(entry, SIGCONT);
    }
  }

 private:
  ProcessTree& tree_;
  int number_;
  std::set<pid_t> asked_;
};

void kill_all(ProcessTree& tree) {
  signal_all(tree, SIGSTOP);
  signal_all(tree, SIGKILL);
}

void end_main(Process& main, const Stop& stop, const Deadline& grace, Stopped& report) {
  main.signal(stop.signal);
  main.signal(SIGCONT);
  auto exit = main.wait(Milliseconds(grace.left_ms()));
  if (!exit) {
    report.killed = true;
    main.signal(SIGKILL);
    exit = main.wait(kKilling);
  }
  if (exit)
    report.exit = *exit;
  else
    report.left.push_back(std::to_string(main.pid()) + " " + executable_of(main.pid()));
}

// In a daemon they are the subject itself; else they are what it failed to take along.
void end_descendants(ProcessTree& tree, const Stop& stop, const Deadline& grace, bool daemon,
                     Stopped& report) {
  if (!daemon) {
    if (gone_within(tree, kSettling)) return;
    report.outlived = names_of(tree.look());
  }
  Asker ask(tree, stop.signal);
  ask();
  if (gone_within(tree, Milliseconds(grace.left_ms()), std::ref(ask))) return;
  report.killed = true;
  if (gone_within(tree, kKilling, [&] { kill_all(tree); })) return;
  for (auto& name : names_of(tree.look())) report.left.push_back(std::move(name));
}

}  // namespace

void end_strays() {
  constexpr pid_t kNobody = 0;
  ProcessTree adopted(kNobody, false);
  gone_within(adopted, kKilling, [&] { kill_all(adopted); });
}

Stopped stop_subject(Process& main, ProcessTree& tree, const Stop& stop, bool daemon) {
  Stopped report;
  const Deadline grace(stop.grace);
  if (const auto exit = main.poll()) {
    report.exit = *exit;
    report.by_itself = !daemon;
  } else {
    end_main(main, stop, grace, report);
  }
  end_descendants(tree, stop, grace, daemon, report);
  return report;
}

}  // namespace telltale::subject
