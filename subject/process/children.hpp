// The processes that this tool started itself.
//
// As a child subreaper the tool also becomes the parent of strangers: what a subject detached.
// Those two kinds of children must not be confused: the exit status of the first kind belongs to
// its Process, and the second kind is stopped and reaped, by pid, with the subject. A
// waitpid(-1) anywhere would steal from both. What another room forks by itself is taken for the
// tool's own as long as it stays in the tool's session and no foreground command is watched.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>

namespace telltale::subject {

// Thread-safe: no other thread's look at the process tree comes between fork and remembering.
// `start` returns the pid of the new child, or what is not a pid (<= 0) when there is none.
void start_child(const std::function<pid_t()>& start);

// The wait status once it has ended, after which it is forgotten; never blocks. A status that
// somebody else took reads as exit status 255.
[[nodiscard]] std::optional<int> reap_child(pid_t pid);

[[nodiscard]] bool known_child(pid_t pid);
// Process 1 of a PID namespace of ours, which is also one of start_child's: what a subject detaches
// there becomes its child instead of the tool's. It reaps by itself.
void add_reaper(pid_t pid);
[[nodiscard]] bool known_reaper(pid_t pid);
// Reaps a dead child that this tool did not start.
void reap_stranger(pid_t pid);

}  // namespace telltale::subject
