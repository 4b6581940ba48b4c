#include "tools/waivers.hpp"

#include <fmt/core.h>

namespace telltale::tools {

Result<std::vector<evidence::WaiverTerms>> waivers_of(const std::vector<std::string>& words,
                                                      const std::string& prefix) {
  std::vector<evidence::WaiverTerms> terms;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      return fail(Fault::input, fmt::format("\"{}\" gives no reason", word),
                  "write it as WHAT=REASON: a reviewer reads the reason");
    terms.push_back({prefix + word.substr(0, equals), word.substr(equals + 1), ""});
  }
  return terms;
}

}  // namespace telltale::tools
