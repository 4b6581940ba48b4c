// Writes the maps of a user namespace from outside of it, where the privilege is.
//
// Theory of operation. After unshare(2) the tool has no rights over the namespace that it came
// from, and a map of more than its own id needs CAP_SETUID there. So a process is forked before,
// which stays behind, waits for the word that the tool is in, writes the maps of its parent and
// ends. Either it has that capability itself (of_this_root), or it runs newuidmap(1) and
// newgidmap(1).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

// Of /etc/subuid or /etc/subgid (subuid(5)): ids that a user may give to its namespaces.
struct IdRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
// The ranges in `text` of the user with this name or number; lines that are none are passed over.
[[nodiscard]] std::vector<IdRange> subordinate_ids(const std::string& text, const std::string& name,
                                                   uid_t uid);

// A map is taken in one write(2) or not at all: false, with errno.
bool try_map(const std::string& path, const std::string& text);

class IdMapper {
 public:
  using Work = std::function<bool(pid_t tool)>;

  IdMapper() = default;  // maps nothing
  IdMapper(IdMapper&& other) noexcept { *this = std::move(other); }
  IdMapper& operator=(IdMapper&& other) noexcept {
    std::swap(process_, other.process_);
    go_ = std::move(other.go_);
    said_ = std::move(other.said_);
    return *this;
  }
  ~IdMapper();
  // Every id of the namespace at hand, as itself. Needs CAP_SETUID and CAP_SETGID.
  [[nodiscard]] static IdMapper of_this_root();
  // Root is `uid` and `gid`; the user's ranges follow. Fault::instrument where there is no
  // newuidmap or no range, with the remedy.
  [[nodiscard]] static Result<IdMapper> of_ranges(uid_t uid, gid_t gid);

  [[nodiscard]] bool waits() const { return process_ > 0; }
  // Once the calling process is in its new user namespace: has the maps written, and waits.
  [[nodiscard]] Result<> map();

 private:
  [[nodiscard]] static IdMapper behind(const Work& work);

  pid_t process_ = 0;
  subject::FileDescriptor go_;    // its end of file lets the process go without doing anything
  subject::FileDescriptor said_;  // what went wrong; nothing: it is done
};

}  // namespace telltale::catcher
