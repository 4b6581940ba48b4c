// Files as a process with another root folder names them, opened by the tool.
//
// Links are followed as that process would follow them: never out of its root (openat2(2),
// RESOLVE_IN_ROOT; Linux 5.6).
#pragma once

#include <filesystem>
#include <vector>

namespace telltale::evidence {

class RootedFiles {
 public:
  // A descriptor of the root folder, which outlives this; -1: the machine's own root.
  explicit RootedFiles(int root) : root_(root) {}
  RootedFiles(const RootedFiles&) = delete;
  RootedFiles& operator=(const RootedFiles&) = delete;
  ~RootedFiles();

  // Where the tool can reach it as long as this lives. A path that leads nowhere when there is no
  // such file.
  [[nodiscard]] std::filesystem::path at(const std::filesystem::path& path);
  // The same file's name inside, links resolved; `path` itself when there is none.
  [[nodiscard]] std::filesystem::path canonical(const std::filesystem::path& path);

 private:
  int root_;
  std::vector<int> opened_;
};

}  // namespace telltale::evidence
