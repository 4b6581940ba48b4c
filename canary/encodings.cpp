#include "canary/encodings.hpp"

#include <cstdint>

namespace telltale::canary {

namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string hex_with(std::string_view bytes, std::string_view digits) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

// Six bits of `bytes`, from bit `at` on; bits past the end are 0.
unsigned sextet(std::string_view bytes, std::size_t at) {
  unsigned window = 0;
  for (std::size_t i = at / 8; i < at / 8 + 2; ++i)
    window = window << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
  return window >> (10 - at % 8) & 63U;
}

std::size_t base64_value(char character) {
  const auto value = kStandard.find(character);
  return value != std::string_view::npos ? value : kUrl.find(character);
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  return hex_with(bytes, "0123456789abcdef");
}

std::string to_upper_hex(std::string_view bytes) {
  return hex_with(bytes, "0123456789ABCDEF");
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.empty() || text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_value(text[i]);
    const int low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

std::string base64_core(std::string_view bytes, unsigned before, Alphabet alphabet) {
  const auto letters = alphabet == Alphabet::base64 ? kStandard : kUrl;
  const std::string group = std::string(before, '\0').append(bytes);
  const std::size_t first = (before * 8 + 5) / 6;  // the first character without foreign bits
  const std::size_t end = group.size() * 8 / 6;    // the last, whole character
  std::string core;
  for (std::size_t i = first; i < end; ++i) core += letters[sextet(group, i * 6)];
  return core;
}

std::optional<std::string> from_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.empty() || text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  std::uint32_t pending = 0;
  unsigned bits = 0;
  for (const char character : text) {
    const auto value = base64_value(character);
    if (value == std::string_view::npos) return std::nullopt;
    pending = pending << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(pending >> bits & 255U);
  }
  return bytes;
}

}  // namespace telltale::canary
