#include "evidence/rooted_files.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace telltale::evidence {

namespace fs = std::filesystem;

RootedFiles::~RootedFiles() {
  for (const int file : opened_) close(file);
}

fs::path RootedFiles::at(const fs::path& path) {
  if (root_ < 0) return path;
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  const auto opened = static_cast<int>(syscall(SYS_openat2, root_, path.c_str(), &how, sizeof how));
  if (opened < 0) return "/proc/self/fd/none";
  opened_.push_back(opened);
  return fmt::format("/proc/self/fd/{}", opened);
}

// The kernel names a file from the root of the mounts that it lies in, which are that root's.
fs::path RootedFiles::canonical(const fs::path& path) {
  std::error_code error;
  auto name = root_ < 0 ? fs::canonical(path, error) : fs::read_symlink(at(path), error);
  return error ? path : name;
}

}  // namespace telltale::evidence
