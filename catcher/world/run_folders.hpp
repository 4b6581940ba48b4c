// The folders of /run, without what is in them: programs put their pid files and sockets there.
#pragma once

#include <vector>

#include "catcher/world/mounts.hpp"

namespace telltale::catcher {

// Folders with their modes and owners, and links, three deep, at most 500.
[[nodiscard]] std::vector<MountStep> folders_of_run();

}  // namespace telltale::catcher
