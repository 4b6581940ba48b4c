#include "catcher/image/unpack.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "subject/directory.hpp"
#include "subject/scratch.hpp"

namespace telltale::catcher::image {

namespace {

using Kind = LayerEntry::Kind;
using subject::FileDescriptor;

constexpr unsigned kImpliedFolderMode = 0755;

std::string folder_part(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string name_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string way_to(int folder, const std::string& name) {
  return fmt::format("/proc/self/fd/{}/{}", folder, name);
}

bool remove_from(int parent, const std::string& name) {
  struct stat status {};
  if (fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
  // remove_tree() would go through a link; this is a folder.
  if (S_ISDIR(status.st_mode)) return subject::remove_tree(way_to(parent, name));
  return unlinkat(parent, name.c_str(), 0) == 0;
}

bool empty_folder(int folder) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const subject::Directory stream(copy >= 0 ? fdopendir(copy) : nullptr);
  if (!stream) return false;
  bool all = true;
  while (const dirent* entry = readdir(stream.get()))
    if (const std::string name = entry->d_name; name != "." && name != "..")
      all = remove_from(folder, name) && all;
  return all;
}

// What went wrong while an entry was made: a full disk is no fault of the image.
tl::unexpected<Error> not_made(const LayerEntry& entry, const std::string& layer) {
  const int error = errno;
  if (error == ENOSPC || error == EDQUOT || error == EROFS || error == EIO || error == EMFILE)
    return fail(Fault::instrument,
                fmt::format("the image cannot be unpacked: {}", std::strerror(error)),
                "set TMPDIR to a folder with more room");
  return fail(
      Fault::input,
      fmt::format("{}: the entry {} cannot be made: {}", layer, entry.path, std::strerror(error)),
      "make the image again: its entries do not fit together");
}

bool set_look(int folder, unsigned mode, std::int64_t changed) {
  const timespec times[2] = {{0, UTIME_OMIT}, {static_cast<time_t>(changed), 0}};
  const auto path = way_to(folder, ".");
  return chmod(path.c_str(), mode) == 0 && utimensat(AT_FDCWD, path.c_str(), times, 0) == 0;
}

}  // namespace

Result<Unpacker> Unpacker::make(const std::filesystem::path& folder, const UnpackLimits& limits) {
  FileDescriptor root;
  if (mkdir(folder.c_str(), 0755) == 0)
    root = FileDescriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (root.valid()) return Unpacker(std::move(root), limits);
  return fail(Fault::instrument,
              fmt::format("{} cannot be made: {}", folder.string(), std::strerror(errno)),
              "set TMPDIR to a folder with more room");
}

Result<> Unpacker::apply(const std::filesystem::path& layer, const std::string& name) {
  for (const bool whiteouts : {true, false}) {
    auto reader = LayerReader::open(layer, name);
    if (!reader) return pass_on(std::move(reader.error()));
    LayerEntry entry;
    for (;;) {
      const auto more = reader->next(entry);
      if (!more) return pass_on(more.error());
      if (!*more) break;
      const bool takes_out = entry.kind == Kind::whiteout || entry.kind == Kind::opaque;
      if (takes_out != whiteouts) {
        if (whiteouts)  // all are counted before the first is made
          if (auto counted = count(entry, name); !counted) return counted;
        continue;
      }
      auto done = whiteouts ? take_out(entry) : put_in(entry, *reader, name);
      if (!done) return done;
    }
  }
  return {};
}

Result<> Unpacker::count(const LayerEntry& entry, const std::string& layer) {
  ++report_.entries;
  if (entry.kind == Kind::file && entry.size <= limits_.bytes) report_.bytes += entry.size;
  if (report_.entries <= limits_.entries && entry.size <= limits_.bytes &&
      report_.bytes <= limits_.bytes)
    return {};
  return fail(Fault::input,
              fmt::format("{}: the image is larger than {} bytes or {} entries, unpacked", layer,
                          limits_.bytes, limits_.entries),
              "if it is meant to be so large, unpack it yourself and use --rootfs");
}

Result<> Unpacker::take_out(const LayerEntry& entry) {
  if (entry.kind == Kind::opaque) {
    if (const auto folder = folder_at(entry.path); folder.valid()) (void)empty_folder(folder.get());
  } else if (const auto parent = folder_at(folder_part(entry.path)); parent.valid()) {
    (void)remove_from(parent.get(), name_part(entry.path));
  }
  return {};
}

Result<> Unpacker::put_in(const LayerEntry& entry, LayerReader& reader, const std::string& layer) {
  if (entry.kind == Kind::other) {
    ++report_.devices;
    return {};
  }
  if (entry.path.empty()) {  // the root folder itself
    if (entry.kind != Kind::folder) return {};
    folders_[""] = {entry.mode, entry.changed};
    return {};
  }
  const auto parent = folder_for(folder_part(entry.path));
  if (!parent.valid()) return not_made(entry, layer);
  const auto name = name_part(entry.path);
  if (entry.kind == Kind::file) return write_file(parent.get(), name, entry, reader, layer);
  if (make(parent.get(), name, entry)) return {};
  return not_made(entry, layer);
}

bool Unpacker::make(int parent, const std::string& name, const LayerEntry& entry) {
  if (entry.kind == Kind::folder) return make_folder(parent, name, entry);
  if (entry.kind == Kind::hard_link) return make_hard_link(parent, name, entry);
  if (!remove_from(parent, name)) return false;
  const bool made = entry.kind == Kind::link
                        ? symlinkat(entry.target.c_str(), parent, name.c_str()) == 0
                        : mkfifoat(parent, name.c_str(), 0600) == 0;
  if (made) give(parent, name, entry);
  return made;
}

Result<> Unpacker::write_file(int parent, const std::string& name, const LayerEntry& entry,
                              LayerReader& reader, const std::string& layer) {
  if (!remove_from(parent, name)) return not_made(entry, layer);
  const FileDescriptor file(
      openat(parent, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return not_made(entry, layer);
  LayerReader::Piece piece;
  for (;;) {
    const auto more = reader.read(piece);
    if (!more) return pass_on(more.error());
    if (!*more) break;
    if (piece.offset > entry.size || piece.bytes.size() > entry.size - piece.offset)
      return fail(Fault::input, fmt::format("{}: {} is longer than it says", layer, entry.path),
                  "do not use this image");
    for (std::size_t at = 0; at < piece.bytes.size();) {
      const auto done = pwrite(file.get(), piece.bytes.data() + at, piece.bytes.size() - at,
                               static_cast<off_t>(piece.offset + at));
      if (done < 0 && errno != EINTR) return not_made(entry, layer);
      if (done > 0) at += static_cast<std::size_t>(done);
    }
  }
  if (ftruncate(file.get(), static_cast<off_t>(entry.size)) != 0) return not_made(entry, layer);
  give(parent, name, entry);
  return {};
}

bool Unpacker::make_folder(int parent, const std::string& name, const LayerEntry& entry) {
  struct stat status {};
  const bool there = fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (there && !S_ISDIR(status.st_mode) && !remove_from(parent, name)) return false;
  if (mkdirat(parent, name.c_str(), 0700) != 0 && errno != EEXIST) return false;
  give(parent, name, entry);
  folders_[entry.path] = {entry.mode, entry.changed};
  return true;
}

// The file that it names, never what a link of that name leads to.
bool Unpacker::make_hard_link(int parent, const std::string& name, const LayerEntry& entry) {
  const auto folder = folder_at(folder_part(entry.target));
  if (!folder.valid()) return false;
  const auto target = name_part(entry.target);
  struct stat one {};
  struct stat other {};
  if (fstatat(folder.get(), target.c_str(), &one, AT_SYMLINK_NOFOLLOW) != 0) return false;
  if (fstatat(parent, name.c_str(), &other, AT_SYMLINK_NOFOLLOW) == 0) {
    if (one.st_ino == other.st_ino) return true;
    if (!remove_from(parent, name)) return false;
  }
  return linkat(folder.get(), target.c_str(), parent, name.c_str(), 0) == 0;
}

// Owner first: a change of it takes the set-user-id bit away. A folder stays open until finish().
void Unpacker::give(int parent, const std::string& name, const LayerEntry& entry) {
  const bool fits = entry.user >= 0 && entry.user < 0xffffffffLL && entry.group >= 0 &&
                    entry.group < 0xffffffffLL;
  const auto user = static_cast<uid_t>(entry.user);
  const auto group = static_cast<gid_t>(entry.group);
  if (!fits || ((user != geteuid() || group != getegid()) &&
                fchownat(parent, name.c_str(), user, group, AT_SYMLINK_NOFOLLOW) != 0))
    ++report_.owners;
  if (entry.kind == Kind::folder) return;
  if (entry.kind != Kind::link) (void)fchmodat(parent, name.c_str(), entry.mode, 0);
  const timespec times[2] = {{0, UTIME_OMIT}, {static_cast<time_t>(entry.changed), 0}};
  (void)utimensat(parent, name.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

void Unpacker::make_sure_of(const std::string& path) {
  std::string clean;
  if (clean_path(path, clean)) (void)folder_for(clean);
}

void Unpacker::finish() {
  // Longest first: a folder that is closed keeps what is below it from being reached.
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder)
    if (const auto opened = folder_at(folder->first); opened.valid())
      (void)set_look(opened.get(), folder->second.mode, folder->second.changed);
}

FileDescriptor Unpacker::folder_at(const std::string& path) const {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return FileDescriptor(static_cast<int>(
      syscall(SYS_openat2, root_.get(), path.empty() ? "." : path.c_str(), &how, sizeof how)));
}

// Made where the archive does not say that it is there.
FileDescriptor Unpacker::folder_for(const std::string& path) {
  auto folder = folder_at(path);
  if (folder.valid() || errno != ENOENT || path.empty()) return folder;
  const auto parent = folder_for(folder_part(path));
  if (!parent.valid()) return {};
  if (mkdirat(parent.get(), name_part(path).c_str(), kImpliedFolderMode) != 0) return {};
  return folder_at(path);
}

}  // namespace telltale::catcher::image
