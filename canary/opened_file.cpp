#include "canary/opened_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "canary/extents.hpp"

namespace telltale::canary {

namespace {

constexpr std::uint64_t kPiece = std::uint64_t{32} << 20;
// What a file may grow by while it is read, and the most of one whose size is not known.
constexpr std::uint64_t kGrowth = std::uint64_t{1} << 30;

std::vector<Range> cut(const std::vector<Range>& ranges) {
  std::vector<Range> pieces;
  for (const auto& range : ranges)
    for (auto begin = range.begin; begin < range.end; begin += kPiece)
      pieces.push_back({begin, std::min(range.end, begin + kPiece)});
  return pieces;
}

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

OpenedFile::OpenedFile(std::string path, subject::FileDescriptor fd, const struct stat& before,
                       std::uint64_t margin)
    : path_(std::move(path)), fd_(std::move(fd)), before_(before) {
  const auto extents = data_extents(fd_.get(), before, margin);
  holes_ = extents.holes;
  pieces_ = cut(extents.data);
  if (pieces_.empty() || pieces_.back().end != size()) pieces_.push_back({size(), size()});
  pieces_.back().end = size() + kGrowth;
}

ssize_t OpenedFile::read_at(std::uint64_t offset, char* into, std::size_t size) const {
  ssize_t got = 0;
  do got = pread(fd(), into, size, static_cast<off_t>(offset));
  while (got < 0 && errno == EINTR);
  return got;
}

bool OpenedFile::add(ScannedRange scanned) {
  const std::lock_guard lock(mutex_);
  found_.merge(scanned.found);
  if (!scanned.head.empty()) head_ = std::move(scanned.head);
  read_ += scanned.read;
  if (error_ == 0) error_ = scanned.error;
  return ++added_ == pieces_.size();
}

std::uint64_t OpenedFile::unread() const {
  const auto accounted = read_ + holes_;
  return accounted < size() ? size() - accounted : 0;
}

std::vector<Unseen> OpenedFile::unseen() const {
  std::vector<Unseen> all;
  if (error_ != 0)
    all.push_back(
        {path_, fmt::format("could not be read to its end: {} ({} of {} bytes were not seen)",
                            std::strerror(error_), unread(), size())});
  else if (unread() > 0)
    all.push_back(
        {path_, fmt::format("became shorter while it was read: {} of {} bytes were not seen",
                            unread(), size())});
  struct stat after {};
  if (fstat(fd(), &after) != 0) after = before_;
  if (read_ + holes_ >= size() + kGrowth)
    all.push_back({path_, "grew faster than it could be read", Unseen::Cause::changed});
  else if (after.st_size != before_.st_size || !same_time(after.st_mtim, before_.st_mtim) ||
           !same_time(after.st_ctim, before_.st_ctim))
    all.push_back({path_, "was changed while it was read, and may never have been as it was seen",
                   Unseen::Cause::changed});
  return all;
}

}  // namespace telltale::canary
