// The tool's own temporary folder.
//
// What a subject leaves there may be hostile to removal: folders without permission, files of other
// users, trees deeper than a path can say, mounts. Removal works on descriptors and flattens the
// tree instead of walking down it, so depth costs nothing; it never goes through a symbolic link
// or into another mount (a mount below is detached first). Linux 5.6 (openat2).
//
// A run that was killed with SIGKILL cannot clean up. Its folder is locked (flock) while it lives,
// so the next run sees which folders are orphans and removes those of the same user.
#pragma once

#include <filesystem>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::subject {

// Removes a folder and all it holds. False when something is left; only a folder that belongs to
// another user (without root), an immutable file or a failing disk can do that.
bool remove_tree(const std::filesystem::path& folder);

// A folder of the tool below TMPDIR, mode 0700, removed with all it holds, whoever owns it, on
// destruction.
class Scratch {
 public:
  [[nodiscard]] static Result<Scratch> make();
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  ~Scratch();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  Scratch() = default;
  void remove();

  std::filesystem::path path_;
  FileDescriptor lock_;
};

}  // namespace telltale::subject
