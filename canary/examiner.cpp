#include "canary/examiner.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "canary/magic.hpp"

namespace telltale::canary {

using subject::FileDescriptor;

namespace {

// O_NONBLOCK: should the file have become a FIFO since it was listed, the open must not wait.
constexpr int kFileFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

const std::string kHole(16, '\0');  // what a file begins with when it begins with a hole

// Only where the head says nothing: it costs a system call a file.
std::string tail_of(const OpenedFile& file) {
  if (file.size() < kTailSize || find_magic(file.head()) != nullptr) return "";
  std::string tail(kTailSize, '\0');
  const auto got = file.read_at(file.size() - kTailSize, tail.data(), tail.size());
  tail.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return tail;
}

}  // namespace

bool HardLinks::is_new(dev_t device, ino_t inode) {
  const std::lock_guard lock(mutex_);
  return seen_.emplace(device, inode).second;
}

void Examiner::handle(Task task) {
  if (const auto* piece = std::get_if<Piece>(&task)) return scan(*piece->file, piece->range);
  for (const auto& entry : std::get<std::vector<Entry>>(task)) examine(entry);
}

void Examiner::examine(const Entry& entry) {
  examine_name(entry);
  switch (entry.kind) {
    case EntryKind::file:
      return examine_file(entry);
    case EntryKind::folder:
      ++seen_.counts.folders;
      return examine_attributes(entry, entry.self ? entry.self->get() : -1);
    case EntryKind::symlink:
      ++seen_.counts.links;
      examine_link(entry);
      return examine_attributes(entry, -1);
    default:
      ++seen_.counts.special;
      return examine_attributes(entry, -1);
  }
}

void Examiner::examine_file(const Entry& entry) {
  const int flags = kFileFlags | (entry.is_root() ? 0 : O_NOFOLLOW);
  FileDescriptor fd(openat(entry.folder(), entry.name().c_str(), flags));
  struct stat status {};
  if (!fd.valid() || fstat(fd.get(), &status) != 0) {
    report(entry, fmt::format("could not be opened: {}", std::strerror(errno)));
    return examine_attributes(entry, -1);
  }
  if (!S_ISREG(status.st_mode)) return report(entry, "became something else than a file");
  if (status.st_nlink > 1 && !scene_.links.is_new(status.st_dev, status.st_ino)) {
    ++seen_.counts.again;
    return;
  }
  examine_attributes(entry, fd.get());
  const auto file =
      std::make_shared<OpenedFile>(entry.path, std::move(fd), status, scene_.matcher.longest() - 1);
  if (file->pieces().size() == 1) return scan(*file, file->pieces().front());
  std::vector<Piece> pieces;
  for (const auto& range : file->pieces()) pieces.push_back({file, range});
  scene_.work.add(std::move(pieces));
}

void Examiner::examine_link(const Entry& entry) {
  std::string target(PATH_MAX, '\0');
  const auto length =
      readlinkat(entry.folder(), entry.name().c_str(), target.data(), target.size());
  if (length < 0)
    return report(entry, fmt::format("is a link that could not be read: {}", std::strerror(errno)));
  target.resize(static_cast<std::size_t>(length));
  search_text(entry, Place::link_target, "", target);
}

// The name itself, and what only the path without its slashes holds: stores that spread files over
// folders cut a name in two (ab/cdef...).
void Examiner::examine_name(const Entry& entry) {
  if (entry.below == entry.path.size()) return;
  const auto name = entry.name();
  search_text(entry, Place::name, "", name);
  joined_.clear();
  std::copy_if(entry.path.begin() + static_cast<std::ptrdiff_t>(entry.below), entry.path.end(),
               std::back_inserter(joined_), [](char character) { return character != '/'; });
  matches_.clear();
  scene_.matcher.find(joined_, matches_);
  Occurrences found;
  const auto own = joined_.size() - name.size();
  for (const auto& match : matches_)
    if (match.offset < own && match.offset + scene_.matcher.length(match.literal) > own)
      found.add(match.literal, match.offset);
  found.append_hits(entry.path, Place::name, "", seen_.hits);
}

void Examiner::examine_attributes(const Entry& entry, int fd) {
  const auto visit = [&](const std::string& name, std::string_view value) {
    ++seen_.counts.attributes;
    search_text(entry, Place::attribute, name, name);
    search_text(entry, Place::attribute, name, value);
  };
  const auto problem = fd >= 0 ? attributes_.read(fd, visit) : attributes_.read(entry, visit);
  if (!problem.empty()) report(entry, problem);
}

void Examiner::search_text(const Entry& entry, Place place, const std::string& inside,
                           std::string_view bytes) {
  matches_.clear();
  scene_.matcher.find(bytes, matches_);
  Occurrences found;
  for (const auto& match : matches_) found.add(match.literal, match.offset);
  found.append_hits(entry.path, place, inside, seen_.hits);
}

void Examiner::scan(OpenedFile& file, Range range) {
  if (file.add(scanner_.scan(file.fd(), range))) finish(file);
}

void Examiner::finish(const OpenedFile& file) {
  ++seen_.counts.files;
  if (file.read() + file.holes() > 0) ++seen_.counts.with_content;
  seen_.counts.read += file.read();
  seen_.counts.holes += file.holes();
  seen_.counts.unread += file.unread();
  file.found().append_hits(file.path(), Place::content, "", seen_.hits);
  const auto head = file.head().empty() && file.holes() > 0 ? kHole : file.head();
  if (!head.empty()) seen_.headers.add(scene_.shown(file.path()), head, tail_of(file));

  Descent descent(scene_.matcher, scene_.limits, scene_.stopped, file.path(), file.size());
  descent.open(file, file.head(), "");
  seen_.counts.decoded += descent.decoded();
  seen_.counts.passed_over += descent.passed_over();
  seen_.hits.insert(seen_.hits.end(), descent.hits().begin(), descent.hits().end());
  seen_.unseen.insert(seen_.unseen.end(), descent.unseen().begin(), descent.unseen().end());
  if (scene_.stopped()) return;  // the run says that it was interrupted
  const auto unseen = file.unseen();
  seen_.unseen.insert(seen_.unseen.end(), unseen.begin(), unseen.end());
}

void Examiner::report(const Entry& entry, std::string why) {
  seen_.unseen.push_back({entry.path, std::move(why)});
}

}  // namespace telltale::canary
