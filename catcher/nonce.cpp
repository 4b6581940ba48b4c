#include "catcher/nonce.hpp"

#include <sys/random.h>

#include <array>
#include <stdexcept>

namespace telltale::catcher {

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

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace telltale::catcher
