// Layers for the tests, written by libarchive: whatever an entry says, right or wrong.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace telltale::test {

struct Packed {
  std::string name;
  char kind = 'f';  // file, (d)irectory, (l)ink, (h)ard link, (p)ipe, (b)lock device
  std::string content{};  // of a file; of a link, its target
  unsigned mode = 0644;
};

enum class Pressed { plain, gzip, zstd };

// The bytes of the archive.
[[nodiscard]] std::string pack(const std::vector<Packed>& entries,
                               Pressed pressed = Pressed::plain);

}  // namespace telltale::test
