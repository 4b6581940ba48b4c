#include "catcher/wire/base64.hpp"

namespace telltale::catcher::wire {

std::vector<std::uint8_t> from_base64(std::string_view text, std::string_view letters) {
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const auto value = letters.find(letter);
    if (value == letters.npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> count & 0xff));
  }
  return bytes;
}

}  // namespace telltale::catcher::wire
