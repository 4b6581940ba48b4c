#include "evidence/encoded_needle.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace telltale::evidence {

namespace {

using Spans = std::vector<Span>;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// `count` hexadecimal digits at text[at].
std::optional<unsigned> hex_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  unsigned value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int digit = hex_digit(text[at + i]);
    if (digit < 0) return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit);
  }
  return value;
}

// What one step of an encoding gives: the bytes, and how much of the text they took.
struct Unit {
  std::string bytes;
  std::size_t length = 1;
};

Unit plain_unit(std::string_view text, std::size_t at) {
  return {{text[at]}, 1};
}

// RFC 3986 section 2.1; a plus is a space in forms (WHATWG URL, 5.1).
Unit percent_unit(std::string_view text, std::size_t at) {
  if (text[at] == '+') return {" ", 1};
  if (text[at] == '%')
    if (const auto byte = hex_at(text, at + 1, 2)) return {{static_cast<char>(*byte)}, 3};
  return plain_unit(text, at);
}

Unit hex_unit(std::string_view text, std::size_t at) {
  if (const auto byte = hex_at(text, at, 2)) return {{static_cast<char>(*byte)}, 2};
  return {{}, 0};
}

std::string utf8(unsigned code) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F))};
  if (code < 0x10000)
    return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)),
          byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F))};
}

// \uXXXX (RFC 8259 section 7), a surrogate pair as one character; \u{X...} as visible() writes it.
Unit unicode_unit(std::string_view text, std::size_t at) {
  if (at + 2 < text.size() && text[at + 2] == '{') {
    const auto end = text.find('}', at);
    if (end == std::string_view::npos || end - at > 9) return plain_unit(text, at);
    const auto code = hex_at(text, at + 3, end - at - 3);
    return code ? Unit{utf8(*code), end - at + 1} : plain_unit(text, at);
  }
  const auto code = hex_at(text, at + 2, 4);
  if (!code) return plain_unit(text, at);
  if (*code < 0xD800 || *code > 0xDBFF) return {utf8(*code), 6};
  const auto low = text.substr(at + 6, 2) == "\\u" ? hex_at(text, at + 8, 4) : std::nullopt;
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return plain_unit(text, at);
  return {utf8(0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00)), 12};
}

Unit escape_unit(std::string_view text, std::size_t at) {
  if (text[at] != '\\' || at + 1 >= text.size()) return plain_unit(text, at);
  constexpr std::string_view kLetters = "\"\\/bfnrt'";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t'";
  if (const auto found = kLetters.find(text[at + 1]); found != std::string_view::npos)
    return {{kMeanings[found]}, 2};
  if (text[at + 1] == 'u') return unicode_unit(text, at);
  if (text[at + 1] == 'x')
    if (const auto byte = hex_at(text, at + 2, 2)) return {{static_cast<char>(*byte)}, 4};
  return plain_unit(text, at);
}

// The length of `value` at text[at] in one encoding; 0 when it is not there.
template <class Step>
std::size_t length_at(std::string_view text, std::size_t at, std::string_view value, Step step) {
  const auto begin = at;
  while (!value.empty()) {
    if (at >= text.size()) return 0;
    const Unit unit = step(text, at);
    if (unit.length == 0 || !value.starts_with(unit.bytes)) return 0;
    value.remove_prefix(unit.bytes.size());
    at += unit.length;
  }
  return at - begin;
}

// `may_begin`: a cheap look at text[at] that spares the steps nearly everywhere.
template <class Step, class MayBegin>
void find_by_step(std::string_view text, std::string_view value, Step step, MayBegin may_begin,
                  Spans& spans) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (!may_begin(text[at]))
      continue;
    else if (const auto length = length_at(text, at, value, step); length > 0)
      spans.push_back({at, at + length});
}

void find_literal(std::string_view text, std::string_view needle, Spans& spans) {
  for (auto at = text.find(needle); at != std::string_view::npos; at = text.find(needle, at + 1))
    spans.push_back({at, at + needle.size()});
}

bool is_base64(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/' || c == '-' || c == '_';
}

// RFC 4648 section 4. Only whole characters: the last one is left out when its bits also depend on
// what follows.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = (bits << 8 | static_cast<unsigned char>(byte)) & 0xFFFF;
    for (count += 8; count >= 6; count -= 6) text += kAlphabet[bits >> (count - 6) & 0x3F];
  }
  return text;
}

std::string url_safe(std::string text) {
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

}  // namespace

// The characters that the value alone decides when `before` bytes (0 to 2, modulo 3) precede it;
// the ones at its two ends, which hold some of its bits, are added in the text.
EncodedNeedle::EncodedNeedle(std::string value) : value_(std::move(value)) {
  constexpr std::size_t kShortest = 4;  // 24 bits; less would match by chance
  for (std::size_t before = 0; before < 3; ++before) {
    auto core = base64(std::string(before, '\0') + value_).substr(before == 0 ? 0 : before + 1);
    if (core.size() < kShortest) continue;
    const bool open_end = (before + value_.size()) % 3 != 0;
    if (auto safe = url_safe(core); safe != core)
      base64_.push_back({std::move(safe), before != 0, open_end});
    base64_.push_back({std::move(core), before != 0, open_end});
  }
}

void EncodedNeedle::find_base64(std::string_view text, const Base64& form, Spans& spans) {
  Spans found;
  find_literal(text, form.core, found);
  for (auto [begin, end] : found) {
    if (form.before && begin > 0 && is_base64(text[begin - 1])) --begin;
    if (form.after && end < text.size() && is_base64(text[end])) ++end;
    while (form.after && end < text.size() && text[end] == '=') ++end;
    spans.push_back({begin, end});
  }
}

Spans EncodedNeedle::places(std::string_view text) const {
  Spans spans;
  if (value_.empty()) return spans;
  const char head = value_.front();
  const int high = static_cast<unsigned char>(head) >> 4;
  find_literal(text, value_, spans);
  find_by_step(
      text, value_, hex_unit, [&](char c) { return hex_digit(c) == high; }, spans);
  if (text.find_first_of("%+") != std::string_view::npos)
    find_by_step(
        text, value_, percent_unit, [&](char c) { return c == head || c == '%' || c == '+'; },
        spans);
  if (text.find('\\') != std::string_view::npos)
    find_by_step(
        text, value_, escape_unit, [&](char c) { return c == head || c == '\\'; }, spans);
  for (const auto& form : base64_) find_base64(text, form, spans);
  return spans;
}

}  // namespace telltale::evidence
