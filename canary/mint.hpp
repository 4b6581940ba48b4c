// Values that exist nowhere before a run makes them.
#pragma once

#include <cstddef>
#include <string>

namespace telltale::canary {

// 24 random base62 characters, about 143 bits. Measured against 24 hex digits, sentences and whole
// JSON documents: after LZ compression of the page around it, this is what most often stays whole.
[[nodiscard]] std::string mint_canary();

// 32 random bytes, as 64 lower-case hex digits.
[[nodiscard]] std::string mint_key();

// getrandom(2). Throws std::system_error where the kernel has none to give: a run without
// randomness cannot go on.
[[nodiscard]] std::string random_bytes(std::size_t count);

}  // namespace telltale::canary
