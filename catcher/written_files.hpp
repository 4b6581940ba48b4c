// What the subject wrote, anywhere in the folders of which it had a view of its own: the upper
// layers of its overlays against the lower ones.
//
// A name that was there before and that it opened for writing is copied up by the kernel at once,
// so both files are compared: `touched` is one that reads the same afterwards. Only names and sizes
// are told, never what is in a file.
//
// Not seen: which process it was, and what was written and removed again within the run. Folders
// more than 256 deep are told, and what is in them is not.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "catcher/world/overlay.hpp"

namespace telltale::catcher {

struct WrittenFile {
  std::string path;
  const char* kind;        // "file", "folder", "link", "socket", "pipe", "device"
  const char* change;      // "new", "changed", "touched", "deleted", "replaced": a folder made anew
  std::uint64_t size = 0;  // bytes, of a file; of a deleted one, what it was
};

void for_each_written(const std::vector<OverlaidFolder>& folders,
                      const std::function<void(const WrittenFile&)>& call);

}  // namespace telltale::catcher
