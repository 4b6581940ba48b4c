#include "evidence/characters.hpp"

#include <fmt/core.h>

#include <array>

namespace telltale::evidence {

namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t size>
bool within(const std::array<Range, size>& ranges, char32_t character) {
  for (const auto& [first, last] : ranges)
    if (character >= first && character <= last) return true;
  return false;
}

// C0 and C1 controls, and the format characters that hide or reorder text (Unicode TR 36).
constexpr std::array kHidden{Range{0x00, 0x1F},     Range{0x7F, 0x9F},     Range{0xAD, 0xAD},
                             Range{0x61C, 0x61C},   Range{0x180E, 0x180E}, Range{0x200B, 0x200F},
                             Range{0x2028, 0x202E}, Range{0x2060, 0x206F}, Range{0xFE00, 0xFE0F},
                             Range{0xFEFF, 0xFEFF}, Range{0xFFF0, 0xFFFB}, Range{0xE0000, 0xE0FFF}};

// Width 2: East_Asian_Width W and F, as blocks.
constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},
    Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
    Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
    Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1FAFF}, Range{0x20000, 0x3FFFD}};

constexpr std::array kCombining{
    Range{0x300, 0x36F},   Range{0x483, 0x489},   Range{0x591, 0x5BD},
    Range{0x610, 0x61A},   Range{0x64B, 0x65F},   Range{0x1AB0, 0x1AFF},
    Range{0x1DC0, 0x1DFF}, Range{0x20D0, 0x20FF}, Range{0xFE20, 0xFE2F}};

std::size_t width_of(char32_t character) {
  if (character < kCombining.front().first) return 1;
  if (within(kCombining, character)) return 0;
  return within(kWide, character) ? 2 : 1;
}

std::string written_out(char32_t character) {
  if (character == '\n') return "\\n";
  if (character == '\r') return "\\r";
  if (character == '\t') return "\\t";
  if (character < 0x80) return fmt::format("\\x{:02x}", static_cast<unsigned>(character));
  return fmt::format("\\u{{{:04x}}}", static_cast<unsigned>(character));
}

// `text` without its first `width` columns; the head goes to `line`, its columns to `used`.
std::string_view cut(std::string_view text, std::size_t width, std::string& line,
                     std::size_t& used) {
  std::size_t at = 0;
  used = 0;
  while (at < text.size()) {
    const auto [character, length] = decode_utf8(text, at);
    const auto wide = width_of(character);
    if (used + wide > width && at > 0) break;
    used += wide;
    at += length == 0 ? 1 : length;
  }
  line += text.substr(0, at);
  return text.substr(at);
}

}  // namespace

Decoded decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {};
  char32_t character = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    character = character << 6 | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (overlong || surrogate || character > 0x10FFFF) return {};
  return {character, length};
}

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const auto length = decode_utf8(bytes, at).length;
    if (length == 0)
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[at++]));
    else
      text += bytes.substr(at, length), at += length;
  }
  return text;
}

bool is_hidden(char32_t character) {
  return within(kHidden, character);
}

std::string visible(std::string_view bytes) {
  const auto valid = valid_utf8(bytes);
  const std::string_view view = valid;
  std::string text;
  for (std::size_t at = 0; at < view.size();) {
    const auto [character, length] = decode_utf8(view, at);
    if (is_hidden(character))
      text += written_out(character);
    else
      text += view.substr(at, length);
    at += length;
  }
  return text;
}

std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [character, length] = decode_utf8(text, at);
    sum += width_of(character);
    at += length == 0 ? 1 : length;
  }
  return sum;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::string_view first,
                              std::string_view rest) {
  std::vector<std::string> lines;
  std::string line(first);
  std::size_t used = columns(first);
  bool empty = true;  // nothing but its indentation is on the line
  const auto next_line = [&] {
    lines.push_back(line);
    line = rest;
    used = columns(rest);
    empty = true;
  };
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!empty && used + 1 + columns(word) > width) next_line();
    if (!empty) line += ' ', ++used;
    for (;;) {
      std::size_t taken = 0;
      word = cut(word, width > used ? width - used : 1, line, taken);
      used += taken;
      empty = false;
      if (word.empty()) break;
      next_line();
    }
  }
  lines.push_back(line);
  return lines;
}

}  // namespace telltale::evidence
