#include "canary/mint.hpp"

#include <sys/random.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "canary/encodings.hpp"

namespace telltale::canary {

namespace {
constexpr std::string_view kBase62 =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kCanaryLength = 24;
}  // namespace

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t filled = 0; filled < count;) {
    const auto got = getrandom(bytes.data() + filled, count - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::system_error(errno, std::generic_category(), "getrandom");
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

// A byte of 248 or more is thrown away: 256 is no multiple of 62, and some characters would come
// more often than others.
std::string mint_canary() {
  std::string canary;
  while (canary.size() < kCanaryLength)
    for (const char byte : random_bytes(kCanaryLength)) {
      const auto value = static_cast<unsigned char>(byte);
      if (value < 248 && canary.size() < kCanaryLength) canary += kBase62[value % 62];
    }
  return canary;
}

std::string mint_key() {
  return to_hex(random_bytes(32));
}

}  // namespace telltale::canary
