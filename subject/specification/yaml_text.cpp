#include "subject/specification/yaml_text.hpp"

#include <algorithm>

namespace telltale::subject {

namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

Place place_of(std::string_view text, const YAML::Mark& mark) {
  if (mark.is_null()) return {1, 1};
  const auto end = std::min(static_cast<std::size_t>(mark.pos), text.size());
  const auto newline = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  const auto start = newline == std::string_view::npos ? 0 : newline + 1;
  int column = 1;
  for (auto i = start; i < end; ++i)
    if (!continues_character(text[i])) ++column;
  return {mark.line + 1, column};
}

bool quote_closes(std::string_view text, std::size_t open) {
  const char quote = text[open];
  for (auto i = open + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (quote == '\'' && text.substr(i, 2) == "''")
      ++i;
    else if (text[i] == quote)
      return true;
  }
  return false;
}

int indenting_tab(std::string_view text, int line) {
  std::size_t start = 0;
  for (int n = 1; n < line; ++n) {
    const auto newline = text.find('\n', start);
    if (newline == std::string_view::npos) return 0;
    start = newline + 1;
  }
  for (auto at = start; at < text.size() && (text[at] == ' ' || text[at] == '\t'); ++at)
    if (text[at] == '\t') return static_cast<int>(at - start) + 1;
  return 0;
}

}  // namespace telltale::subject
