#include "canary/walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace telltale::canary {

using subject::FileDescriptor;

namespace {

constexpr std::size_t kOpenFolders = 64;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;

EntryKind kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return EntryKind::file;
  if (S_ISDIR(mode)) return EntryKind::folder;
  if (S_ISLNK(mode)) return EntryKind::symlink;
  if (S_ISSOCK(mode)) return EntryKind::socket;
  if (S_ISFIFO(mode)) return EntryKind::fifo;
  return EntryKind::device;
}

// Some file systems leave the type to stat(2). What cannot be asked is taken for a file, so that
// the failure to open it is reported.
EntryKind kind_of(int folder, const std::string& name, unsigned char type, int flags) {
  if (type != DT_UNKNOWN) return kind_of_mode(static_cast<mode_t>(DTTOIF(type)));
  struct stat status {};
  if (fstatat(folder, name.c_str(), &status, flags) != 0) return EntryKind::file;
  return kind_of_mode(status.st_mode);
}

std::string reason(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

}  // namespace

int Entry::folder() const {
  return is_root() ? AT_FDCWD : holder->get();
}

std::string Entry::name() const {
  return is_root() ? path : path.substr(path.rfind('/') + 1);
}

Walk::Walk(std::vector<std::string> roots) : roots_(std::move(roots)) {}

std::optional<Entry> Walk::next() {
  while (!levels_.empty()) {
    auto& level = levels_.back();
    if (level.next < level.children.size()) return visit(level.children[level.next++]);
    leave();
  }
  if (next_root_ == roots_.size()) return std::nullopt;
  return enter_root(roots_[next_root_++]);
}

Entry Walk::enter_root(const std::string& root) {
  path_ = root;
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  below_ = path_.size();
  Entry entry{kind_of(AT_FDCWD, path_, DT_UNKNOWN, 0), path_, below_, nullptr, nullptr};
  if (entry.kind == EntryKind::folder) enter(entry);
  return entry;
}

Entry Walk::visit(const Child& child) {
  const auto& level = levels_.back();
  path_.resize(level.path_length);
  if (path_.empty() || path_.back() != '/') path_ += '/';
  path_ += child.name;
  const auto kind = kind_of(level.folder->get(), child.name, child.type, AT_SYMLINK_NOFOLLOW);
  Entry entry{kind, path_, below_, level.folder, nullptr};
  if (kind == EntryKind::folder) enter(entry);
  return entry;
}

void Walk::enter(Entry& entry) {
  const int flags = kFolderFlags | (entry.is_root() ? 0 : O_NOFOLLOW);
  FileDescriptor folder(openat(entry.folder(), entry.name().c_str(), flags));
  struct stat status {};
  if (!folder.valid() || fstat(folder.get(), &status) != 0) {
    unseen_.push_back({entry.path, reason("is a folder that could not be opened")});
    return;
  }
  if (is_ancestor(status.st_dev, status.st_ino)) {
    unseen_.push_back({entry.path, "is the same folder as one above it and was not entered again"});
    return;
  }
  entry.self = std::make_shared<const FileDescriptor>(std::move(folder));
  levels_.push_back({entry.self, status.st_dev, status.st_ino, {}, 0, path_.size()});
  list(levels_.back());
  if (levels_.size() > kOpenFolders) levels_[levels_.size() - 1 - kOpenFolders].folder.reset();
}

// Through a descriptor of its own: closedir(3) closes what fdopendir(3) was given.
void Walk::list(Level& level) {
  const int copy = openat(level.folder->get(), ".", kFolderFlags);
  DIR* stream = copy < 0 ? nullptr : fdopendir(copy);
  if (stream == nullptr) {
    unseen_.push_back({path_, reason("is a folder that could not be listed")});
    if (copy >= 0) close(copy);
    return;
  }
  for (errno = 0; const auto* child = readdir(stream); errno = 0) {
    const std::string_view name = child->d_name;
    if (name != "." && name != "..") level.children.push_back({child->d_name, child->d_type});
  }
  if (errno != 0) unseen_.push_back({path_, reason("is a folder that was listed only in part")});
  closedir(stream);
}

void Walk::leave() {
  const auto below = levels_.back().folder;
  levels_.pop_back();
  if (!levels_.empty() && !levels_.back().folder) open_again(levels_.back(), *below);
}

void Walk::open_again(Level& level, const FileDescriptor& below) {
  FileDescriptor folder(openat(below.get(), "..", kFolderFlags));
  struct stat status {};
  const bool same = folder.valid() && fstat(folder.get(), &status) == 0 &&
                    status.st_dev == level.device && status.st_ino == level.inode;
  if (!same) {
    path_.resize(level.path_length);
    unseen_.push_back({path_,
                       "is a folder that was moved while it was searched: what was left of it, "
                       "and of the folders above it, was not searched"});
    levels_.clear();
    return;
  }
  level.folder = std::make_shared<const FileDescriptor>(std::move(folder));
}

bool Walk::is_ancestor(dev_t device, ino_t inode) const {
  for (const auto& level : levels_)
    if (level.device == device && level.inode == inode) return true;
  return false;
}

}  // namespace telltale::canary
