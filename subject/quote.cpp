#include "subject/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/characters.hpp"

namespace telltale::subject {

std::string quote(std::string_view text, std::size_t limit) {
  std::size_t taken = 0;
  while (taken < text.size()) {
    const auto length = std::max<std::size_t>(evidence::decode_utf8(text, taken).length, 1);
    if (taken + length > limit) break;
    taken += length;
  }
  auto line = fmt::format("\"{}\"", evidence::visible(text.substr(0, taken)));
  if (taken < text.size()) line += fmt::format(" and {} bytes more", text.size() - taken);
  return line;
}

}  // namespace telltale::subject
