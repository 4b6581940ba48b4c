#include "subject/launch/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/characters.hpp"

namespace telltale::subject {

std::string_view last_lines(std::string_view text, std::size_t lines) {
  std::size_t start = text.size();
  for (; lines > 0 && start > 0; --lines) {
    const std::size_t before = start > 1 ? text.rfind('\n', start - 2) : std::string_view::npos;
    start = before == std::string_view::npos ? 0 : before + 1;
  }
  return text.substr(start);
}

std::string last_printed(std::string_view lines) {
  constexpr std::size_t kLine = 400;  // bytes
  if (lines.find_first_not_of(" \t\r\n") == std::string_view::npos) return "it printed nothing";
  std::string text = "it last printed:";
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    text += "\n    " + evidence::visible(line.substr(0, kLine));
    if (line.size() > kLine) text += fmt::format(" and {} bytes more", line.size() - kLine);
  }
  return text;
}

}  // namespace telltale::subject
