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

// 0 or errno.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno != EINTR) return errno;
    if (done > 0) bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
}

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
  // O_EXCL follows no link (open(2)).
  file.fd_ = open(file.temporary().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file.fd_ < 0) return pass_on(write_error(path, errno));
  return file;
}

Result<> DurableFile::write(std::string_view bytes) {
  const int error = write_all(fd_, bytes);
  return error == 0 ? Result<>{} : pass_on(write_error(path_, error));
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

namespace {

// /dev/null, /dev/stdout, a pipe: renaming a file over it would take it from everybody else.
bool is_special(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

Result<> write_special(const std::filesystem::path& path, std::string_view bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return pass_on(write_error(path, errno));
  const int error = write_all(fd, bytes);
  close(fd);
  // A reader that went away has seen enough.
  return error == 0 || error == EPIPE ? Result<>{} : pass_on(write_error(path, error));
}

std::filesystem::path behind_links(const std::filesystem::path& path) {
  std::error_code error;
  auto target = std::filesystem::canonical(path, error);
  return error ? path : target;
}

}  // namespace

Result<> write_durably(const std::filesystem::path& path, std::string_view bytes) {
  if (is_special(path)) return write_special(path, bytes);
  auto file = DurableFile::create(behind_links(path));
  if (!file) return pass_on(file.error());
  auto done = file->write(bytes);
  if (done) done = file->commit();
  if (!done) file->discard();
  return done;
}

}  // namespace telltale::evidence
