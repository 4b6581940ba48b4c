// The steps by which process 1 of the sealed world makes what the subject sees of files.
//
// Theory of operation. A list of steps is made by the tool before the fork; process 1, forked from
// a process with threads, works through it with system calls only. What lies under something that
// is mounted later is opened first (`hold`), at a number that the tool has reserved, and reached as
// /proc/self/fd/N from then on.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

struct MountStep {
  enum class Kind {
    mount,      // source on target, of a type, with flags and data
    folder,     // target is made, with mode and owner
    link,       // target is made, pointing to source
    file,       // target is made or emptied, holding `data`
    anew,       // likewise, in place of whatever had that name
    read_only,  // the mount at target is remounted so
    hold,       // target is opened as `descriptor`, a way to it once something lies over it
    tree,       // a copy of the mount at target is opened as `descriptor`
    put,        // the copy that is open as `descriptor` goes on target
    pivot,      // the mount at target becomes the root, and the old root is gone
  };
  Kind kind = Kind::mount;
  std::string source;
  std::string target;
  std::string type;
  unsigned long flags = 0;  // MS_*
  std::string data;
  mode_t mode = 0755;
  uid_t owner = 0;
  gid_t group = 0;
  int descriptor = -1;
  bool required = true;
};
using MountSteps = std::vector<MountStep>;

[[nodiscard]] MountStep mount_step(std::string source, std::string target, std::string type,
                                   unsigned long flags, std::string data = {});
// With all that is mounted below it.
[[nodiscard]] MountStep bind_step(std::string source, std::string target, bool required = true);
[[nodiscard]] MountStep file_step(std::string target, std::string text, mode_t mode = 0644);
[[nodiscard]] MountStep folder_step(std::string target, mode_t mode = 0755);
// The tool's own descriptors and those of process 1 have the same numbers: `reserved` keeps one.
[[nodiscard]] MountStep hold_step(std::string target, subject::FileDescriptor& reserved);
// A mount, with all below it, taken along to where its source is out of sight: the two steps.
[[nodiscard]] MountStep tree_step(std::string source, subject::FileDescriptor& reserved);
[[nodiscard]] MountStep put_step(const subject::FileDescriptor& reserved, std::string target);
// "/proc/self/fd/7"
[[nodiscard]] std::string held_path(const subject::FileDescriptor& reserved);
// Every folder on the way to it, and itself.
void add_folders_to(const std::filesystem::path& folder, MountSteps& steps);

// After a fork: system calls only. -1, or the number of the required step that failed (errno).
[[nodiscard]] int run_mounts(const MountSteps& steps);

// "mounting tmpfs on /run", for an error.
[[nodiscard]] std::string describe(const MountStep& step);

}  // namespace telltale::catcher
