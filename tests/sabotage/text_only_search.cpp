// A search that skips binary files, as text tools do: a file whose first bytes hold a NUL reads as
// empty.
#include <dlfcn.h>
#include <sys/types.h>

#include <array>
#include <cstring>

namespace {

using Pread = ssize_t (*)(int, void*, std::size_t, off_t);

Pread real() {
  return reinterpret_cast<Pread>(dlsym(RTLD_NEXT, "pread"));
}

bool binary(int fd) {
  std::array<char, 512> head{};
  const auto bytes = real()(fd, head.data(), head.size(), 0);
  return bytes > 0 && std::memchr(head.data(), 0, static_cast<std::size_t>(bytes)) != nullptr;
}

}  // namespace

extern "C" ssize_t pread(int fd, void* buffer, std::size_t size, off_t offset) {
  return binary(fd) ? 0 : real()(fd, buffer, size, offset);
}

extern "C" ssize_t pread64(int fd, void* buffer, std::size_t size, off_t offset) {
  return pread(fd, buffer, size, offset);
}

extern "C" ssize_t __pread_chk(int fd, void* buffer, std::size_t size, off_t offset, std::size_t) {
  return pread(fd, buffer, size, offset);
}

extern "C" ssize_t __pread64_chk(int fd, void* buffer, std::size_t size, off_t offset,
                                 std::size_t) {
  return pread(fd, buffer, size, offset);
}
