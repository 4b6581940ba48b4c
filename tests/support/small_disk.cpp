#include "support/small_disk.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace telltale::test {

namespace {

// Once a process: mounts of a test are seen by nobody else and vanish with it.
bool enter_namespace() {
  static const bool entered =
      unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return entered;
}

}  // namespace

bool SmallDisk::possible() {
  return geteuid() == 0 && enter_namespace();
}

SmallDisk::SmallDisk(std::size_t bytes, bool read_only) {
  const auto options = "size=" + std::to_string(bytes);
  const unsigned long flags = read_only ? MS_RDONLY : 0;
  if (!possible() || mount("tmpfs", folder_.path().c_str(), "tmpfs", flags, options.c_str()) != 0)
    throw std::runtime_error("cannot mount a tmpfs");
}

SmallDisk::~SmallDisk() {
  umount2(folder_.path().c_str(), MNT_DETACH);
}

void SmallDisk::fill() const {
  const int fd = open((folder_ / "filler").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const std::string page(4096, 'x');
  while (write(fd, page.data(), page.size()) > 0) {
  }
  close(fd);
}

}  // namespace telltale::test
