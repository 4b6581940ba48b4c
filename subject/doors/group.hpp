// Ending a program of a door together with what it started.
#pragma once

#include "subject/process.hpp"

namespace telltale::subject {

// Kills every process of the program's process group, then reaps the program. Called while the
// program is not reaped yet, so its number cannot belong to another group. What left the group (a
// daemon in a session of its own) is not reached: it is a descendant of the tool, and ends with
// the launch.
Exit end_group(Process& process);

}  // namespace telltale::subject
