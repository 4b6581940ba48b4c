// Unix sockets with a path at which a daemon of the machine, outside the world, takes what is sent:
// a way out that no network namespace covers (mounts.hpp hides those it knows).
//
// Theory of operation. The kernel lists the unix sockets of a network namespace in /proc/net/unix.
// The tool reads its own, where no socket of the subject can be: a path that stands there,
// listening or for datagrams, is a daemon's. What was ever seen there counts for the whole run.
//
// Not seen: a daemon in a third network namespace; one that came and went between two looks; one
// that was bound by a relative path.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "catcher/sighting.hpp"
#include "evidence/finding.hpp"

namespace telltale::catcher {

class DaemonSockets {
 public:
  explicit DaemonSockets(std::filesystem::path list = "/proc/net/unix") : list_(std::move(list)) {}

  // Reads the list once more. One that cannot be read adds nothing.
  void look();
  // By the path as it was asked for: symbolic links on the way are followed, as the machine has
  // them. Never: what the world covers (below /run), and names of the abstract space ("@name"),
  // which belong to a network namespace.
  [[nodiscard]] bool take_from(const std::string& path) const;
  // A program with a datagram socket of AF_UNIX may have written to one of those that take
  // datagrams without that anybody saw it (witness/filter.hpp): each, "message:PATH", is added.
  void tell_of_messages(const std::vector<Sighting>& sightings,
                        std::vector<evidence::Unexamined>& all) const;

 private:
  std::filesystem::path list_;
  std::set<std::string> paths_, datagrams_;  // the latter are among the former
};

}  // namespace telltale::catcher
