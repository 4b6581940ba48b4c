#include "catcher/written_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "subject/directory.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

namespace {

using subject::FileDescriptor;

constexpr int kDeepest = 256;  // two descriptors each

const char* kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "file";
    case S_IFDIR:
      return "folder";
    case S_IFLNK:
      return "link";
    case S_IFSOCK:
      return "socket";
    case S_IFIFO:
      return "pipe";
    default:
      return "device";
  }
}

FileDescriptor open_at(int folder, const char* name, int flags) {
  return FileDescriptor(folder < 0 ? -1 : openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW));
}

FileDescriptor folder_at(int parent, const char* name) {
  return open_at(parent, name, O_RDONLY | O_DIRECTORY);
}

// A lower folder need not be readable for its names to be known.
FileDescriptor lower_at(int parent, const char* name) {
  return open_at(parent, name, O_PATH | O_DIRECTORY);
}

ssize_t read_fully(int file, char* into, std::size_t size) {
  std::size_t got = 0;
  for (ssize_t more = 0; got < size && (more = read(file, into + got, size - got)) > 0;)
    got += static_cast<std::size_t>(more);
  return static_cast<ssize_t>(got);
}

bool same_content(int upper, int lower, const char* name) {
  const auto one = open_at(upper, name, O_RDONLY | O_NONBLOCK);
  const auto other = open_at(lower, name, O_RDONLY | O_NONBLOCK);
  if (!one.valid() || !other.valid()) return false;
  std::array<char, 65536> left{};
  std::array<char, 65536> right{};
  for (;;) {
    const auto size = read_fully(one.get(), left.data(), left.size());
    if (read_fully(other.get(), right.data(), right.size()) != size ||
        std::memcmp(left.data(), right.data(), static_cast<std::size_t>(size)) != 0)
      return false;
    if (size == 0) return true;
  }
}

bool is_opaque(int folder) {
  char value = 0;
  return fgetxattr(folder, "user.overlay.opaque", &value, 1) == 1 && value == 'y';
}

class WrittenWalk {
 public:
  WrittenWalk(const OverlaidFolder& folder, const std::function<void(const WrittenFile&)>& call)
      : folder_(folder), call_(call) {}

  void run() {
    const FileDescriptor upper(open(folder_.upper.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const FileDescriptor lower(open(folder_.lower.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (upper.valid()) walk(upper.get(), lower.get(), "", 0);
  }

 private:
  // lower: -1 where there was no such folder.
  void walk(int upper, int lower, const std::string& below, int depth) {
    const int copy = openat(upper, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const subject::Directory stream(copy >= 0 ? fdopendir(copy) : nullptr);
    if (!stream) return;
    std::vector<std::string> names;
    while (const dirent* entry = readdir(stream.get()))
      if (const std::string name = entry->d_name; name != "." && name != "..")
        names.push_back(name);
    std::sort(names.begin(), names.end());
    for (const auto& name : names) look_at(upper, lower, name, below + name, depth);
  }

  void look_at(int upper, int lower, const std::string& name, const std::string& path, int depth) {
    struct stat now {};
    struct stat before {};
    if (fstatat(upper, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0) return;
    const bool was_there =
        lower >= 0 && fstatat(lower, name.c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0;
    if (S_ISCHR(now.st_mode) && now.st_rdev == 0) {
      if (was_there) tell(path, before, "deleted");
    } else if (S_ISDIR(now.st_mode)) {
      folder(upper, was_there && S_ISDIR(before.st_mode) ? lower : -1, name, path, was_there, now,
             depth);
    } else if (!is_own(upper, name, path)) {
      tell(path, now, !was_there ? "new" : changed(upper, lower, name, now, before));
    }
  }

  void folder(int upper, int lower, const std::string& name, const std::string& path,
              bool was_there, const struct stat& now, int depth) {
    const auto inner = folder_at(upper, name.c_str());
    const bool anew = lower < 0 || (inner.valid() && is_opaque(inner.get()));
    if (anew && folder_.own_files.count(path) == 0) tell(path, now, was_there ? "replaced" : "new");
    if (!inner.valid() || depth >= kDeepest) return;
    const auto original = lower_at(anew ? -1 : lower, name.c_str());
    walk(inner.get(), original.get(), path + "/", depth + 1);
  }

  static const char* changed(int upper, int lower, const std::string& name, const struct stat& now,
                             const struct stat& before) {
    const bool same = S_ISREG(now.st_mode) && S_ISREG(before.st_mode) &&
                      now.st_size == before.st_size && same_content(upper, lower, name.c_str());
    return same ? "touched" : "changed";
  }

  // As the tool put it there.
  bool is_own(int upper, const std::string& name, const std::string& path) {
    const auto own = folder_.own_files.find(path);
    if (own == folder_.own_files.end()) return false;
    const auto file = open_at(upper, name.c_str(), O_RDONLY | O_NONBLOCK);
    std::string text(own->second.size() + 1, '\0');
    text.resize(static_cast<std::size_t>(read_fully(file.get(), text.data(), text.size())));
    return text == own->second;
  }

  void tell(const std::string& path, const struct stat& status, const char* change) {
    call_({(folder_.folder / path).string(), kind_of(status.st_mode), change,
           S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0});
  }

  const OverlaidFolder& folder_;
  const std::function<void(const WrittenFile&)>& call_;
};

}  // namespace

void for_each_written(const std::vector<OverlaidFolder>& folders,
                      const std::function<void(const WrittenFile&)>& call) {
  for (const auto& folder : folders) WrittenWalk(folder, call).run();
}

}  // namespace telltale::catcher
