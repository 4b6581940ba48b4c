// Files that a subject wrote where every program may write, whatever TMPDIR says: /tmp, /var/tmp,
// /dev/shm. Other programs write there too, so a file is the subject's only when it holds a value
// that this run made up.
//
// Looked at: regular files, changed since the launch began, of any owner that can be read, the
// first 16 MiB of each, raw. Not seen: files that were removed again, values that were encoded or
// compressed, other folders, what lies more than three folders deep, and what comes after the first
// 20,000 entries of a folder (`cut`).
#pragma once

#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "canary/hit.hpp"

namespace telltale::canary {

struct StrayPlan {
  std::vector<std::filesystem::path> folders;  // a folder that is not there holds nothing
  std::vector<std::filesystem::path> without;  // the run's own: searched by others, or not theirs
  std::time_t since = 0;                       // by the file system's clock, to the second
  std::vector<std::string> canaries;
};

struct StrayFiles {
  std::vector<Hit> hits;    // Hit::pattern: index into StrayPlan::canaries
  std::uint64_t files = 0;  // that were opened
  bool cut = false;         // there were too many entries
};

[[nodiscard]] std::vector<std::filesystem::path> shared_folders();
[[nodiscard]] StrayFiles stray_files(const StrayPlan& plan);

}  // namespace telltale::canary
