// Ending a subject and everything that it started.
//
//   1  the stop signal to the main process (and SIGCONT, in case it is stopped); its grace period
//   2  SIGKILL to the main process when the period is over
//   3  descendants that are still there a moment later outlived it: they are named, get the stop
//      signal too (those that nobody else of them started), and what is left of the period
//   4  SIGSTOP, so that they fork no more, and SIGKILL, until a look at the tree finds nobody
//
// Whatever interrupts the tool does not shorten this.
#pragma once

#include <string>
#include <vector>

#include "subject/process.hpp"
#include "subject/process_tree.hpp"
#include "subject/specification.hpp"

namespace telltale::subject {

struct Stopped {
  Exit exit;
  bool by_itself = false;  // had ended before it was asked to
  bool killed =
      false;  // the grace period ran out, for the main process or for one that outlived it
  std::vector<std::string> outlived;  // "4711 /usr/bin/notes"
  std::vector<std::string> left;  // could not be ended: blocked in the kernel, or another user's
};

// `daemon`: the main process ended in order, and its descendants are the subject.
[[nodiscard]] Stopped stop_subject(Process& main, ProcessTree& tree, const Stop& stop, bool daemon);

// What set-up steps left running when the subject itself was never started.
void end_strays();

}  // namespace telltale::subject
