#include "canary/extents.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "subject/file_descriptor.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

constexpr off_t kMiB = off_t{1} << 20;

struct Sparse {
  explicit Sparse(const std::filesystem::path& path)
      : fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}
  void put(off_t at, const std::string& bytes) const {
    REQUIRE(pwrite(fd.get(), bytes.data(), bytes.size(), at) == static_cast<ssize_t>(bytes.size()));
  }
  [[nodiscard]] Extents extents(std::uint64_t margin) const {
    struct stat status {};
    REQUIRE(fstat(fd.get(), &status) == 0);
    return data_extents(fd.get(), status, margin);
  }
  subject::FileDescriptor fd;
};

// Whether this file system keeps holes; some do not, and then a file is one range.
bool keeps_holes(const Sparse& file) {
  REQUIRE(ftruncate(file.fd.get(), 64 * kMiB) == 0);
  return test::require(file.extents(0).data.empty(), "a file system that keeps holes");
}

}  // namespace

TEST_CASE("holes are left out, data and a margin before it are not") {
  const test::TemporaryFolder folder;
  const Sparse file(folder / "sparse");
  if (!keeps_holes(file)) return;
  CHECK(file.extents(0).holes == 64 * kMiB);

  file.put(8 * kMiB, std::string(100, 'x'));
  file.put(32 * kMiB - 1, "xx");
  file.put(64 * kMiB - 1, "x");
  const auto extents = file.extents(23);
  REQUIRE(extents.data.size() == 3);
  std::uint64_t data = 0;
  for (const auto& range : extents.data) data += range.end - range.begin;
  CHECK(data + extents.holes == 64 * kMiB);
  CHECK(extents.data[0].begin == 8 * kMiB - 23);
  CHECK(extents.data[0].end >= 8 * kMiB + 100);
  CHECK(extents.data[1].begin <= 32 * kMiB - 1);
  CHECK(extents.data[2].end == 64 * kMiB);
}

TEST_CASE("ranges that touch by their margins become one") {
  const test::TemporaryFolder folder;
  const Sparse file(folder / "sparse");
  if (!keeps_holes(file)) return;
  file.put(0, "x");
  file.put(kMiB, "x");
  CHECK(file.extents(0).data.size() == 2);
  CHECK(file.extents(kMiB).data.size() == 1);
  CHECK(file.extents(kMiB).data[0].begin == 0);
}

TEST_CASE("a file without holes is one range, an empty one none") {
  const test::TemporaryFolder folder;
  const Sparse file(folder / "file");
  CHECK(file.extents(9).data.empty());
  CHECK(file.extents(9).holes == 0);
  file.put(0, std::string(5000, 'x'));
  REQUIRE(file.extents(9).data.size() == 1);
  CHECK(file.extents(9).data[0].end == 5000);
}
