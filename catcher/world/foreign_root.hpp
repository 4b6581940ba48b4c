// Another root folder for the subject: a container image's, or one that somebody has made.
//
// Theory of operation. In a mount namespace of its own, made from the machine's view, an overlay of
// the folder (overlay.hpp: nothing in it is changed) becomes the root by pivot_root(2), and nothing
// of the machine's files is left but what a container gets: /proc of the PID namespace, a /dev with
// seven devices, the terminals and shared memory, /sys, and the world's resolv.conf and hosts. All
// of that is done from within the new root, so that a link of a hostile image leads nowhere else.
//
// The tool's own programs (the control caller) need the machine's libraries, so they run in the
// machine's view, which stays: every other namespace is the subject's.
#pragma once

#include <filesystem>

#include "catcher/world/overlay.hpp"

namespace telltale::catcher {

struct ForeignRootPlan {
  MountSteps steps;  // in a mount namespace that was copied from the machine's view
  std::vector<subject::FileDescriptor> held;
  OverlaidFolder folder;
};

// `layers` is a folder of the tool's. Fault::input for a `root` that is no folder, or holds
// `layers`.
[[nodiscard]] Result<ForeignRootPlan> plan_foreign_root(const std::filesystem::path& root,
                                                        const std::filesystem::path& layers);

}  // namespace telltale::catcher
