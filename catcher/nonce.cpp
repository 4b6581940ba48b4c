#include "catcher/nonce.hpp"

#include <fmt/core.h>
#include <sys/random.h>

#include <array>
#include <stdexcept>

namespace telltale::catcher {

namespace {

std::uint16_t random_word() {
  std::uint16_t word = 0;
  if (getrandom(&word, sizeof word, 0) != sizeof word)
    throw std::runtime_error("getrandom gave no random bytes");
  return word;
}

}  // namespace

std::string make_nonce() {
  // 32 letters, so that five bits of each random byte are used without bias.
  constexpr std::string_view kAlphabet = "abcdefghijkmnpqrstuvwxyz23456789";
  static_assert(kAlphabet.size() == 32);
  std::array<unsigned char, 20> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("getrandom gave no random bytes");
  std::string nonce = "telltale-";
  for (const auto byte : bytes) nonce += kAlphabet[byte % 32];
  return nonce;
}

std::uint16_t nonce_port() {
  return static_cast<std::uint16_t>(20'000 + random_word() % 40'000);
}

std::string nonce_address(bool six) {
  if (!six) return fmt::format("203.0.113.{}", 1 + random_word() % 254);
  return fmt::format("2001:db8:{:x}:{:x}::{:x}:{:x}", 0x1000 + random_word() % 0xe000,
                     1 + random_word() % 0xfffe, 1 + random_word() % 0xfffe,
                     1 + random_word() % 0xfffe);
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace telltale::catcher
