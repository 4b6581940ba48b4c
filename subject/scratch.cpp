#include "subject/scratch.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "subject/directory.hpp"

namespace telltale::subject {

namespace {

namespace fs = std::filesystem;

constexpr auto kPrefix = "telltale-run-";

std::vector<std::string> names_of(int folder) {
  std::vector<std::string> names;
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const Directory stream(copy >= 0 ? fdopendir(copy) : nullptr);
  if (!stream) return names;
  while (const dirent* entry = readdir(stream.get()))
    if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
  return names;
}

// A folder of this very mount (EXDEV otherwise), never through a symbolic link.
FileDescriptor open_folder(int parent, const std::string& name, std::uint64_t flags) {
  open_how how{};
  how.flags = flags | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS;
  return FileDescriptor(
      static_cast<int>(syscall(SYS_openat2, parent, name.c_str(), &how, sizeof how)));
}

// The mode is changed through the descriptor: the name may stand for something else by now.
bool open_up(int parent, const std::string& name) {
  const FileDescriptor handle = open_folder(parent, name, O_PATH);
  if (!handle.valid()) return false;
  const std::string path = "/proc/self/fd/" + std::to_string(handle.get());
  chmod(path.c_str(), S_IRWXU);
  return true;
}

FileDescriptor enter(int parent, const std::string& name) {
  if (!open_up(parent, name)) return {};
  return open_folder(parent, name, O_RDONLY);
}

bool is_folder(int parent, const std::string& name) {
  struct stat status {};
  return fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(status.st_mode);
}

bool detach_mount(int parent, const std::string& name) {
  const std::string path = "/proc/self/fd/" + std::to_string(parent) + "/" + name;
  return umount2(path.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW) == 0;
}

bool remove_entry(int parent, const std::string& name) {
  const int flag = is_folder(parent, name) ? AT_REMOVEDIR : 0;
  if (unlinkat(parent, name.c_str(), flag) == 0) return true;
  return errno == EBUSY && detach_mount(parent, name) && unlinkat(parent, name.c_str(), flag) == 0;
}

// Every entry of root/name is removed or, a folder that is not empty, moved up into root.
bool flatten(int root, const std::string& name, unsigned long& serial) {
  FileDescriptor folder = enter(root, name);
  while (!folder.valid() && errno == EXDEV && detach_mount(root, name)) folder = enter(root, name);
  if (!folder.valid()) return false;
  for (const auto& entry : names_of(folder.get())) {
    if (remove_entry(folder.get(), entry)) continue;
    open_up(folder.get(), entry);  // a folder that changes its parent must be writable
    const std::string moved = ".removed-" + std::to_string(serial++);
    if (renameat(folder.get(), entry.c_str(), root, moved.c_str()) != 0) return false;
  }
  return unlinkat(root, name.c_str(), AT_REMOVEDIR) == 0;
}

// As long as something goes: what one pass cannot remove stays, and the pass after it tells.
bool empty_folder(int root) {
  unsigned long serial = 0;
  for (bool progress = true; progress;) {
    progress = false;
    bool left = false;
    for (const auto& name : names_of(root)) {
      const bool gone =
          remove_entry(root, name) || (is_folder(root, name) && flatten(root, name, serial));
      progress = progress || gone;
      left = left || !gone;
    }
    if (!left && names_of(root).empty()) return true;
  }
  return false;
}

// Folders of runs that were killed: nobody holds their lock.
void remove_orphans(const fs::path& parent) {
  const FileDescriptor above(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (const auto& name : names_of(above.get())) {
    if (!name.starts_with(kPrefix)) continue;
    const FileDescriptor folder = open_folder(above.get(), name, O_RDONLY);
    struct stat status {};
    if (!folder.valid() || fstat(folder.get(), &status) != 0 || status.st_uid != geteuid() ||
        flock(folder.get(), LOCK_EX | LOCK_NB) != 0)
      continue;
    remove_tree(parent / name);
  }
}

}  // namespace

bool remove_tree(const fs::path& folder) {
  chmod(folder.c_str(), S_IRWXU);
  {
    const FileDescriptor root(
        open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!root.valid()) return errno == ENOENT;
    empty_folder(root.get());
  }
  return rmdir(folder.c_str()) == 0;
}

Result<Scratch> Scratch::make() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error)
    return fail(Fault::instrument, "there is no folder for temporary files: " + error.message(),
                "set TMPDIR to one");
  remove_orphans(parent);
  // It gets the name that remove_orphans looks for only when it is locked.
  std::string made = (parent / ".telltale-XXXXXX").string();
  if (mkdtemp(made.data()) == nullptr)
    return fail(Fault::instrument, "no folder in " + parent.string() + ": " + strerror(errno),
                "set TMPDIR to a folder that can be written");
  Scratch scratch;
  scratch.lock_ = FileDescriptor(open(made.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  flock(scratch.lock_.get(), LOCK_EX);
  scratch.path_ = parent / (kPrefix + made.substr(made.size() - 6));
  if (renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, scratch.path_.c_str(), RENAME_NOREPLACE) == 0)
    return scratch;
  const std::string reason = strerror(errno);
  scratch.path_ = made;
  return fail(Fault::instrument, scratch.path_.string() + " cannot be renamed: " + reason,
              "set TMPDIR to a folder of your own");
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::move(other.lock_)) {
  other.path_.clear();
}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::move(other.path_);
    lock_ = std::move(other.lock_);
    other.path_.clear();
  }
  return *this;
}

Scratch::~Scratch() {
  remove();
}

void Scratch::remove() {
  if (!path_.empty()) remove_tree(path_);
  path_.clear();
  lock_.reset();
}

}  // namespace telltale::subject
