// libFuzzer's entry, for the target whose name is TELLTALE_TARGET.
#include <string_view>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto& target : telltale::fuzz::kAllTargets)
    if (std::string_view(target.name) == TELLTALE_TARGET) target.run({data, size});
  return 0;
}
