// Through which doors the canaries are written. Two writes through one door show one path through
// the program: what the other door does with a value (a log of its own, a cache) was not seen.
//
// Two steps are different doors when they are of different kinds (http, mcp, tcp, unix, exec), or
// ask another place: another URL, tool, port or path; of a command, other arguments than the one
// with the canary (psql by its socket and psql by the network). What a command really talks to is
// not known.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "subject/specification.hpp"

namespace telltale::canary {

struct WriteDoors {
  std::size_t canaries = 0;     // that some step writes
  std::set<std::string> steps;  // names of those that write one
  std::set<std::string> doors;
  std::set<std::string> kinds;

  [[nodiscard]] bool distinct() const {
    return canaries >= 2 && steps.size() >= 2 && doors.size() >= 2;
  }
  // "3 canaries by 3 steps through 3 doors (exec, http, mcp)"
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] WriteDoors write_doors(const std::vector<subject::Step>& steps);

}  // namespace telltale::canary
