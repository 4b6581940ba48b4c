// The processes of one subject: its main process, all that descends from it, and what detached
// itself and was handed to this tool as the child subreaper.
//
// Read from /proc (proc(5)): every look is a snapshot, and a process that lives shorter than the
// time between two looks is not seen. Two looks share a memory: what was once seen in the tree
// stays in it, known by pid and start time, so a reused pid is not mistaken for it.
//
// Whom an adopted child belongs to: not one of children.hpp, and not of this tool's own session,
// which no subject can join (a foreground command lives in it, so there every adopted child
// counts). In a sealed world orphans go to process 1 of its PID namespace: all of its children
// belong. With two subjects at once, an orphan never seen below either belongs to both.
// One look reads two hundred processes in some 2 ms of CPU time.
// Not covered: work handed to a program that was already running (cron, systemd, Docker).
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace telltale::subject {

struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  char state = '?';              // R, S, D, T, Z, ... as proc(5) says
  std::uint64_t start_time = 0;  // clock ticks since boot; with the pid it names one process
};

// One line of /proc/PID/stat. False: no such process (any more).
[[nodiscard]] bool read_process(pid_t pid, ProcessEntry& entry);
// All that /proc shows now.
[[nodiscard]] std::vector<ProcessEntry> read_processes();
// "/usr/bin/x"; "[name]" when the link cannot be read.
[[nodiscard]] std::string executable_of(pid_t pid);

// Thread-safe.
class ProcessTree {
 public:
  // `main` was just started and is not reaped yet. `foreground`: it shares the tool's session.
  ProcessTree(pid_t main, bool foreground);

  // A new look. Living processes only, the main one first; dead orphans are reaped, by pid.
  [[nodiscard]] std::vector<ProcessEntry> look();
  [[nodiscard]] pid_t main() const { return main_; }

 private:
  [[nodiscard]] bool adopted(const ProcessEntry& entry) const;
  [[nodiscard]] std::vector<ProcessEntry> members_of(const std::vector<ProcessEntry>& all) const;
  bool scan();  // true when somebody has died since the last one

  const pid_t self_ = getpid();
  const pid_t main_;
  const bool foreground_;
  std::mutex mutex_;                       // of what follows
  std::map<pid_t, std::uint64_t> living_;  // pid and start time
  std::vector<ProcessEntry> seen_;         // the same, of the last scan
};

// Sends a signal to exactly that process; nothing happens when its pid is another's by now.
void signal_process(const ProcessEntry& entry, int number);

}  // namespace telltale::subject
