#include "evidence/json_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "evidence/characters.hpp"
#include "evidence/results.hpp"

namespace telltale::evidence {

namespace {

using nlohmann::json;
using Write = std::function<void(std::string_view)>;

constexpr std::size_t kStep = 2;   // spaces a level
constexpr std::size_t kApart = 4;  // levels that are written piece by piece: a finding is the fifth

// In a JSON text these characters can only be inside a string, so replacing them keeps the value.
std::string safe(std::string plain) {
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x7F; };
  if (std::all_of(plain.begin(), plain.end(), is_plain)) return plain;
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
  return text;
}

std::string dump(const json& document, int indent) {
  return safe(document.dump(indent, ' ', false, json::error_handler_t::replace));
}

// As it stands `level` levels down. A line break in a JSON text is never inside a string.
std::string indented(const json& document, std::size_t level) {
  const auto flat = dump(document, kStep);
  std::string text;
  text.reserve(flat.size());
  for (const char c : flat) {
    text += c;
    if (c == '\n') text.append(level * kStep, ' ');
  }
  return text;
}

void write_level(const json& document, std::size_t level, const Write& write) {
  if (!document.is_structured() || document.empty() || level == kApart)
    return write(indented(document, level));
  const bool object = document.is_object();
  const std::string inner(level * kStep + kStep, ' ');
  const char* before = object ? "{\n" : "[\n";
  for (auto item = document.begin(); item != document.end(); ++item) {
    write(before);
    write(inner);
    if (object) write(dump(item.key(), -1) + ": ");
    write_level(*item, level + 1, write);
    before = ",\n";
  }
  write("\n" + std::string(level * kStep, ' ') + (object ? "}" : "]"));
}

}  // namespace

void write_text(const json& document, const Write& write) {
  write_level(document, 0, write);
  write("\n");
}

std::string to_text(const json& document) {
  std::string text;
  write_text(document, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string to_line(const json& document) {
  return dump(document, -1) + '\n';
}

}  // namespace telltale::evidence
