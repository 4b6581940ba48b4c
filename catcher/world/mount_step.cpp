#include "catcher/world/mount_step.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace telltale::catcher {

namespace {

using Kind = MountStep::Kind;

bool make_folder(const MountStep& step) {
  if (mkdir(step.target.c_str(), step.mode) != 0) return errno == EEXIST;
  // An ordinary user's tool cannot give a folder away; the mode alone is then right.
  [[maybe_unused]] const int given = lchown(step.target.c_str(), step.owner, step.group);
  return chmod(step.target.c_str(), step.mode) == 0;
}

bool make_file(const MountStep& step) {
  if (step.kind == Kind::anew) unlink(step.target.c_str());
  const int file =
      open(step.target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  const bool written =
      write(file, step.data.data(), step.data.size()) == static_cast<ssize_t>(step.data.size());
  const bool moded = fchmod(file, step.mode) == 0;
  close(file);
  return written && moded;
}

// open_tree(2), move_mount(2): Linux 5.2.
bool put(const MountStep& step) {
  return move_mount(step.descriptor, "", AT_FDCWD, step.target.c_str(), MOVE_MOUNT_F_EMPTY_PATH) ==
         0;
}

bool hold(const MountStep& step) {
  const int opened = step.kind == Kind::tree ? open_tree(AT_FDCWD, step.target.c_str(),
                                                         OPEN_TREE_CLONE | O_CLOEXEC | AT_RECURSIVE)
                                             : open(step.target.c_str(), O_PATH | O_CLOEXEC);
  const bool held = opened >= 0 && dup3(opened, step.descriptor, O_CLOEXEC) >= 0;
  if (opened >= 0) close(opened);
  return held;
}

// pivot_root(2): the old root is stacked over the new one, and taken off from there.
bool pivot(const MountStep& step) {
  return chdir(step.target.c_str()) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 &&
         umount2(".", MNT_DETACH) == 0 && chdir("/") == 0;
}

bool run_step(const MountStep& step) {
  const char* target = step.target.c_str();
  switch (step.kind) {
    case Kind::mount:
      return mount(step.source.c_str(), target, step.type.c_str(), step.flags, step.data.c_str()) ==
             0;
    case Kind::folder:
      return make_folder(step);
    case Kind::link:
      return symlink(step.source.c_str(), target) == 0 || errno == EEXIST;
    case Kind::file:
    case Kind::anew:
      return make_file(step);
    case Kind::read_only:
      return mount("", target, "", MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
    case Kind::hold:
    case Kind::tree:
      return hold(step);
    case Kind::put:
      return put(step);
    case Kind::pivot:
      return pivot(step);
  }
  return false;
}

}  // namespace

MountStep mount_step(std::string source, std::string target, std::string type, unsigned long flags,
                     std::string data) {
  MountStep step;
  step.source = std::move(source);
  step.target = std::move(target);
  step.type = std::move(type);
  step.flags = flags;
  step.data = std::move(data);
  return step;
}

MountStep bind_step(std::string source, std::string target, bool required) {
  auto step = mount_step(std::move(source), std::move(target), "", MS_BIND | MS_REC);
  step.required = required;
  return step;
}

MountStep file_step(std::string target, std::string text, mode_t mode) {
  MountStep step;
  step.kind = Kind::file;
  step.target = std::move(target);
  step.data = std::move(text);
  step.mode = mode;
  return step;
}

MountStep folder_step(std::string target, mode_t mode) {
  MountStep step;
  step.kind = Kind::folder;
  step.target = std::move(target);
  step.mode = mode;
  return step;
}

MountStep hold_step(std::string target, subject::FileDescriptor& reserved) {
  reserved = subject::FileDescriptor(open("/", O_PATH | O_CLOEXEC));
  MountStep step;
  step.kind = Kind::hold;
  step.target = std::move(target);
  step.descriptor = reserved.get();
  return step;
}

MountStep tree_step(std::string source, subject::FileDescriptor& reserved) {
  auto step = hold_step(std::move(source), reserved);
  step.kind = MountStep::Kind::tree;
  return step;
}

MountStep put_step(const subject::FileDescriptor& reserved, std::string target) {
  MountStep step;
  step.kind = MountStep::Kind::put;
  step.descriptor = reserved.get();
  step.target = std::move(target);
  return step;
}

std::string held_path(const subject::FileDescriptor& reserved) {
  return fmt::format("/proc/self/fd/{}", reserved.get());
}

void add_folders_to(const std::filesystem::path& folder, MountSteps& steps) {
  std::filesystem::path walked;
  for (const auto& part : folder) {
    walked /= part;
    if (walked != "/") steps.push_back(folder_step(walked.string()));
  }
}

int run_mounts(const MountSteps& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (!run_step(steps[i]) && steps[i].required) return static_cast<int>(i);
  return -1;
}

std::string describe(const MountStep& step) {
  switch (step.kind) {
    case Kind::mount:
      return fmt::format("mounting {} on {}", step.type.empty() ? step.source : step.type,
                         step.target);
    case Kind::read_only:
      return "making read-only " + step.target;
    case Kind::hold:
    case Kind::tree:
      return "opening " + step.target;
    case Kind::pivot:
      return "making the root of " + step.target;
    default:
      return "making " + step.target;
  }
}

}  // namespace telltale::catcher
