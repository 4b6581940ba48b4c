#include "evidence/durable_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "evidence/results.hpp"

namespace telltale::evidence {

namespace {

// The rename itself is durable only when the folder is synced (open(2), NOTES; fsync(2)).
int sync_folder(const std::filesystem::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno;
  // Some file systems cannot sync a folder and say EINVAL; there the rename is all there is.
  const int error = fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
  close(fd);
  return error;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

Error write_error(const std::filesystem::path& path, int error) {
  const auto what = fmt::format("cannot write {}: {}", path.string(), strerror(error));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return {Fault::instrument, what, "free some space, or choose another --out folder"};
    case EROFS:
    case EACCES:
    case EPERM:
      return {Fault::input, what, "choose an --out folder that this user may write"};
    case ENOENT:
    case ENOTDIR:
      return {Fault::input, what, "create the folder first, or choose another --out"};
    default:
      return {Fault::instrument, what, "choose another --out folder, on a sound disk"};
  }
}

DurableFile::DurableFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}

DurableFile::DurableFile(DurableFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

DurableFile::~DurableFile() {
  if (fd_ >= 0) close(fd_);
}

std::filesystem::path DurableFile::temporary() const {
  return path_.string() + ".tmp";
}

Result<DurableFile> DurableFile::create(const std::filesystem::path& path) {
  DurableFile file(path, -1);
  unlink(file.temporary().c_str());
  file.fd_ =
      open(file.temporary().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file.fd_ < 0) return pass_on(write_error(path, errno));
  return file;
}

Result<> DurableFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto done = ::write(fd_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return pass_on(write_error(path_, errno));
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return {};
}

Result<> DurableFile::commit() {
  // close() is where a network file system reports what it could not store.
  if (fsync(fd_) != 0) return pass_on(write_error(path_, errno));
  if (close(std::exchange(fd_, -1)) != 0) return pass_on(write_error(path_, errno));
  if (rename(temporary().c_str(), path_.c_str()) != 0) return pass_on(write_error(path_, errno));
  if (const int error = sync_folder(folder_of(path_)); error != 0)
    return pass_on(write_error(path_, error));
  return {};
}

void DurableFile::discard() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
  unlink(temporary().c_str());
}

Result<> write_durably(const std::filesystem::path& path, std::string_view bytes) {
  auto file = DurableFile::create(path);
  if (!file) return pass_on(file.error());
  auto done = file->write(bytes);
  if (done) done = file->commit();
  if (!done) file->discard();
  return done;
}

}  // namespace telltale::evidence
