#include "subject/file_descriptor.hpp"

#include <unistd.h>

namespace telltale::subject {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

FileDescriptor::~FileDescriptor() {
  reset();
}

// No retry on EINTR: on Linux the descriptor is gone either way (close(2)).
void FileDescriptor::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace telltale::subject
