#include "catcher/numeric_address.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <cstdint>

namespace telltale::catcher {

std::string numeric_address(int family, const void* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (family != AF_INET) {
    inet_ntop(family, bytes, text.data(), text.size());
    return text.data();
  }
  const auto* four = static_cast<const std::uint8_t*>(bytes);
  char* end = text.data();
  for (int i = 0; i < 4; ++i) {
    if (i > 0) *end++ = '.';
    end = std::to_chars(end, text.data() + text.size(), four[i]).ptr;
  }
  return {text.data(), end};
}

}  // namespace telltale::catcher
