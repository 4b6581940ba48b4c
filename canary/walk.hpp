// Everything in a tree, one entry at a time.
//
// The walk holds folders by descriptor and opens each by its name in the one above (openat,
// O_NOFOLLOW), so a path may be longer than PATH_MAX, a link put in place of a folder leads
// nowhere, and symbolic links are entries, never ways. Only the last 64 folders of a branch stay
// open; on the way back a folder is opened again as ".." of the one below it and compared (device
// and inode). A folder that is its own ancestor (a bind mount) is not entered a second time. Mount
// points are entered. Not seen: what is mounted over, deleted, or put into a folder after it was
// listed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "canary/unseen.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::canary {

enum class EntryKind { file, folder, symlink, socket, fifo, device };

struct Entry {
  EntryKind kind = EntryKind::file;
  std::string path;       // the root as it was given and what is below it; bytes, not text
  std::size_t below = 0;  // path[below..] is the part below the root; empty for a root itself
  // The folder that holds it, open; null for a root.
  std::shared_ptr<const subject::FileDescriptor> holder;
  // Of a folder that could be opened.
  std::shared_ptr<const subject::FileDescriptor> self;

  // For openat(2) and its kin: `name` in `folder`. AT_FDCWD and the whole path for a root.
  [[nodiscard]] int folder() const;
  [[nodiscard]] std::string name() const;
  [[nodiscard]] bool is_root() const { return holder == nullptr; }
};

class Walk {
 public:
  // Folders or files. A root that is a symbolic link is followed: the user named it.
  explicit Walk(std::vector<std::string> roots);

  // The next entry; nothing at the end.
  [[nodiscard]] std::optional<Entry> next();

  // Folders that could not be opened or listed, so far.
  [[nodiscard]] const std::vector<Unseen>& unseen() const { return unseen_; }

 private:
  struct Child {
    std::string name;
    unsigned char type = 0;  // DT_*
  };
  struct Level {
    std::shared_ptr<const subject::FileDescriptor> folder;
    dev_t device = 0;
    ino_t inode = 0;
    std::vector<Child> children;
    std::size_t next = 0;
    std::size_t path_length = 0;
  };

  [[nodiscard]] Entry enter_root(const std::string& root);
  [[nodiscard]] Entry visit(const Child& child);
  void enter(Entry& entry);
  void list(Level& level);
  void leave();
  void open_again(Level& level, const subject::FileDescriptor& below);
  [[nodiscard]] bool is_ancestor(dev_t device, ino_t inode) const;

  std::vector<std::string> roots_;
  std::size_t next_root_ = 0;
  std::size_t below_ = 0;
  std::string path_;
  std::vector<Level> levels_;
  std::vector<Unseen> unseen_;
};

}  // namespace telltale::canary
