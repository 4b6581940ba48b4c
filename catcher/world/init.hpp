// Process 1 of the sealed PID namespace: it makes the namespaces of the subject and then reaps.
//
// Theory of operation. It is forked from the tool, which has threads, so it makes system calls
// only, and it never executes another program. Its stages:
//
//   1 parent death  SIGKILL when the thread that forked it ends, the parent checked again; with
//                   process 1 the kernel kills every process of the namespace, detached daemons too
//   2 network       into S: whoever gets hold of it gets hold of nothing more than the subject has
//   3 mounts        mounts.hpp
//   3a root         where the subject has one of its own: a mount namespace more, foreign_root.hpp
//   4 users         a nested user namespace, for the subjects to join; its maps are written by the
//                   tool, which tells it to go on
//   5 reaping       not dumpable, no descriptors, signals blocked; orphans of the subject come here
//
// It owns nothing in that nested namespace that the mounts or the network belong to.
#pragma once

#include <sys/types.h>

#include "catcher/world/mounts.hpp"
#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

struct Init {
  pid_t pid = 0;  // as the tool sees it; a child of the tool, to be reaped by it (children.hpp)
  subject::FileDescriptor handle;  // a pidfd
  subject::FileDescriptor mounts;
  subject::FileDescriptor machine_mounts;  // before the root was changed
  subject::FileDescriptor root;            // O_PATH, where it was changed
  subject::FileDescriptor memory;          // OverlayPlan::memory
  std::vector<OverlaidFolder> overlaid;    // of those that were planned
  std::vector<std::string> uncovered;      // the rest of them
  subject::FileDescriptor processes;
  subject::FileDescriptor users;
  subject::FileDescriptor messages;  // the IPC namespace
  bool process_limit_set = false;
};

// The calling thread must live as long as the world.
[[nodiscard]] Result<Init> start_init(int subject_network, const MountPlan& mounts,
                                      const WorldPlan& plan);
// Kills it, and with it everything in its namespace; waits, 5 s at most: the tool's own children in
// there must have been reaped, or be reaped by another thread.
void end_init(Init& init);

}  // namespace telltale::catcher
