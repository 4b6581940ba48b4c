#include "catcher/world/run_folders.hpp"

#include <sys/stat.h>

#include <filesystem>

namespace telltale::catcher {

namespace {

constexpr std::size_t kFolderLimit = 500;
constexpr int kDepthLimit = 2;  // of an iterator, which counts from 0

// False: neither a folder nor a link.
bool copy_entry(const std::filesystem::path& path, MountStep& step) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return false;
  step.target = path.string();
  step.mode = status.st_mode & 07777;
  step.owner = status.st_uid;
  step.group = status.st_gid;
  step.required = false;
  step.kind = S_ISLNK(status.st_mode) ? MountStep::Kind::link : MountStep::Kind::folder;
  std::error_code error;
  if (S_ISLNK(status.st_mode)) step.source = std::filesystem::read_symlink(path, error).string();
  return S_ISLNK(status.st_mode) || S_ISDIR(status.st_mode);
}

}  // namespace

std::vector<MountStep> folders_of_run() {
  std::vector<MountStep> steps;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(
      "/run", std::filesystem::directory_options::skip_permission_denied, error);
  for (; !error && entry != end(entry) && steps.size() < kFolderLimit; entry.increment(error)) {
    if (entry.depth() >= kDepthLimit) entry.disable_recursion_pending();
    MountStep step;
    if (copy_entry(entry->path(), step)) steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace telltale::catcher
