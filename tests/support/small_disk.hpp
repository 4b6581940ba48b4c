// A tmpfs of a few KiB, or a read-only one, mounted over an empty folder in a mount namespace of
// the test process. Needs root:
//
//   if (!telltale::test::require(SmallDisk::possible(), "root, to mount a tmpfs")) return;
//   const SmallDisk disk(64 * 1024);
#pragma once

#include <cstddef>
#include <filesystem>

#include "support/temporary_folder.hpp"

namespace telltale::test {

class SmallDisk {
 public:
  [[nodiscard]] static bool possible();

  explicit SmallDisk(std::size_t bytes, bool read_only = false);
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  // Leaves no more than one page free.
  void fill() const;

 private:
  TemporaryFolder folder_;
};

}  // namespace telltale::test
