// Copy-on-write views of folders: what the subject writes there is kept apart, and thrown away.
//
// Theory of operation. overlayfs in the mount namespace of the world, which an ordinary user may
// mount in a user namespace of its own (Linux 5.11, `userxattr`). One overlay a folder: the lower
// layer is the folder as it is, opened before anything lies over it, the upper one an empty folder
// of the tool's, out of the subject's sight. An overlay does not cross into other mounts, so each
// mount below is a folder of its own.
//
// Where the upper layers lie: `layers`, a folder of the tool's on the disk. An overlay whose lower
// layer holds that very folder is refused (ELOOP), and so is one whose upper layer is on an
// overlay: there they lie in memory (a tmpfs), and process 1 holds it for the tool.
//
// Not covered, and said: what lies directly in / (root gets it read-only), /run, /dev, /proc, /sys,
// and file systems that overlayfs does not take. To an ordinary user's tool, in whose namespaces
// the machine's mounts are locked together, a folder with mounts below is refused: it stays the
// machine's own, and where that is a folder that must be covered the world is not made.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "catcher/world/mount_step.hpp"
#include "catcher/world/mount_table.hpp"
#include "evidence/result.hpp"

namespace telltale::catcher {

// One folder of which the subject has a view of its own.
struct OverlaidFolder {
  std::filesystem::path folder;  // as the subject names it
  std::filesystem::path lower;   // as it was, for the tool to open
  std::filesystem::path upper;   // what was written, for the tool to open; in memory: from `memory`
  bool in_memory = false;
  // What the tool itself put there, by its name below the folder: no work of the subject.
  std::map<std::string, std::string> own_files;
};

struct OverlayPlan {
  MountSteps steps;
  MountSteps hiding;                          // the tool's layers, from the subject; to be run last
  std::vector<subject::FileDescriptor> held;  // the numbers of the steps that hold
  std::vector<OverlaidFolder> folders;
  std::vector<std::string> uncovered;  // file systems and files that no overlay can hold
  int memory = -1;  // number of process 1's descriptor of the layers in memory; -1: there are none
};

// Of the whole machine as far as it can be; of `covered` it must be. `layers` is an empty folder.
[[nodiscard]] Result<OverlayPlan> plan_overlays(const std::vector<std::filesystem::path>& covered,
                                                const std::filesystem::path& layers);

// The folders to be covered, parents first: those of / that are no file systems of the kernel's
// own, the folders that everybody may write to, `covered`, and every mount below these. Links are
// resolved, and what does not exist is left out.
struct OverlayUnit {
  std::filesystem::path folder;
  bool overlaid = true;  // false: only put back where it was
  bool nested = false;   // below another one
  bool required = false;
};
[[nodiscard]] std::vector<OverlayUnit> overlay_units(
    const std::vector<std::filesystem::path>& covered, const std::vector<MountedAt>& mounts);

// Of `planned`, those that process 1 has really got, by its mount table.
[[nodiscard]] std::vector<OverlaidFolder> overlaid(std::vector<OverlaidFolder> planned,
                                                   const std::vector<MountedAt>& mounts);

// An overlay of `lower` (held), its layers in `layers`/NAME, for the machine's view and for foreign
// roots.
[[nodiscard]] MountStep overlay_step(const std::string& lower, const std::string& layers,
                                     const std::string& target);
// What to do where it is refused.
[[nodiscard]] std::string overlay_remedy();
// Folders for the upper layer: with the mode of `like`, which an ordinary user then has the same
// rights in as before.
[[nodiscard]] Result<> make_layers(const std::filesystem::path& layers,
                                   const std::filesystem::path& like);

}  // namespace telltale::catcher
