// Every process that this tool has started, and whatever came of them.
#pragma once

#include <sys/types.h>

#include <vector>

namespace telltale::subject {

// Descendants of the calling process, detached ones included: it is their subreaper
// (enclosure.hpp). One look at /proc; safe from any thread.
[[nodiscard]] std::vector<pid_t> descendants_of_this_process();

}  // namespace telltale::subject
