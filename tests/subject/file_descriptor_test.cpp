#include "subject/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <type_traits>

#include "support/catch.hpp"

using telltale::subject::FileDescriptor;

namespace {

bool open_here(int fd) {
  return fcntl(fd, F_GETFD) != -1;
}

FileDescriptor open_null() {
  return FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

TEST_CASE("a file descriptor is closed once, by its last owner") {
  auto first = open_null();
  const int number = first.get();
  REQUIRE(first.valid());
  {
    FileDescriptor second(std::move(first));
    CHECK(second.get() == number);
    CHECK(open_here(number));
  }
  CHECK_FALSE(open_here(number));
}

TEST_CASE("an assigned file descriptor closes what it held") {
  auto kept = open_null();
  auto given = open_null();
  const int old = kept.get();
  const int fresh = given.get();
  kept = std::move(given);
  CHECK_FALSE(open_here(old));
  CHECK(kept.get() == fresh);
  const int released = kept.release();
  CHECK_FALSE(kept.valid());
  CHECK(open_here(released));
  close(released);
}

TEST_CASE("a file descriptor is no number") {
  STATIC_REQUIRE_FALSE(std::is_convertible_v<FileDescriptor, int>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<FileDescriptor>);
}
