// File formats by their first (or last) bytes.
#pragma once

#include <string_view>
#include <vector>

namespace telltale::canary {

struct Magic {
  std::string_view name;  // "SQLite database"
  std::size_t offset = 0;
  std::string_view bytes;  // '\xff' where `mask` says so stands for any byte
  // The content is compressed: without an unpacker for it, nothing in it can be found.
  bool hides_content = false;
  // "" when every byte counts; else as long as `bytes`, with '.' where any byte will do.
  std::string_view mask = "";
};

// By the first bytes (kHeadSize of them, or all there are); nullptr when none fits. Longer magics
// are asked first. Two bytes at a fixed place fit one random file in 65,536: no such magic is here.
[[nodiscard]] const Magic* find_magic(std::string_view head);

// By the last bytes of the file (kTailSize of them): sorted tables have their magic in a footer.
inline constexpr std::size_t kTailSize = 8;
[[nodiscard]] const Magic* find_footer_magic(std::string_view tail);

}  // namespace telltale::canary
