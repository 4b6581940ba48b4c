#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "evidence/characters.hpp"
#include "evidence/results.hpp"

namespace telltale::evidence {

namespace {

// In a JSON text these characters can only be inside a string, so replacing them keeps the value.
std::string safe(const std::string& plain) {
  const std::string_view view = plain;
  std::string text;
  text.reserve(view.size() + 1);
  for (std::size_t at = 0; at < view.size();) {
    const auto [character, length] = decode_utf8(view, at);
    const auto code = static_cast<unsigned>(character);
    if (code < 0x7F || !is_hidden(character))
      text += view.substr(at, length);
    else if (code <= 0xFFFF)
      text += fmt::format("\\u{:04x}", code);
    else
      text += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF));
    at += length;
  }
  return text + '\n';
}

std::string dump(const nlohmann::json& document, int indent) {
  return document.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string to_text(const nlohmann::json& document) {
  return safe(dump(document, 2));
}

std::string to_line(const nlohmann::json& document) {
  return safe(dump(document, -1));
}

}  // namespace telltale::evidence
