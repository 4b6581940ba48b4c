#include "sweep/text.hpp"

#include <algorithm>

#include "evidence/characters.hpp"

namespace telltale::sweep {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr auto kSpace = " \t\r\n";
  const auto start = text.find_first_not_of(kSpace);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(kSpace) - start + 1);
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
}

std::string excerpt(std::string_view text, std::size_t most) {
  text = trim(text);
  text = text.substr(0, text.find_first_of("\r\n"));
  auto shown = evidence::visible(text.substr(0, most));
  if (text.size() > most) shown += "...";
  return shown;
}

}  // namespace telltale::sweep
