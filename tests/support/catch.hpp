// Catch2 2.13 (Debian 12) and 3 (newer systems) name their headers differently.
#pragma once

#include <string>

#ifdef TELLTALE_CATCH2_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

namespace telltale::test {

// CHECK_THAT(text, Holds("part")): the two versions name that matcher differently too.
inline auto Holds(const std::string& part) {
#ifdef TELLTALE_CATCH2_V3
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace telltale::test
