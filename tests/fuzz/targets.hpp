// The parsers of foreign bytes, each with the promises that hold for every input. A broken promise
// ends the program, as a sanitizer does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace telltale::fuzz {

struct Target {
  const char* name;  // of its folders in fixtures/captures and tests/fuzz/corpus
  void (*run)(std::span<const std::uint8_t> bytes);
};

inline constexpr std::size_t kTargets = 8;
extern const Target kAllTargets[kTargets];

}  // namespace telltale::fuzz
