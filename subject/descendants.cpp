#include "subject/descendants.hpp"

#include <unistd.h>

#include <map>

#include "subject/process_tree.hpp"

namespace telltale::subject {

std::vector<pid_t> descendants_of_this_process() {
  std::multimap<pid_t, pid_t> children;
  for (const auto& process : read_processes()) children.emplace(process.parent, process.pid);
  std::vector<pid_t> found;
  std::vector<pid_t> parents = {getpid()};
  while (!parents.empty()) {
    const auto [first, last] = children.equal_range(parents.back());
    parents.pop_back();
    for (auto child = first; child != last; ++child) {
      found.push_back(child->second);
      parents.push_back(child->second);
    }
  }
  return found;
}

}  // namespace telltale::subject
