// "1 module", "27 modules".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace telltale::evidence {

// `many` where an s at the end does not do: counted(2, "canary", "canaries").
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view one,
                                         std::string_view many = {}) {
  auto text = std::to_string(count) + " ";
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one).append("s") : text.append(many);
}

}  // namespace telltale::evidence
