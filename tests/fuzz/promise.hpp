// What must hold for every input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace telltale::fuzz {

inline void promise(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "a promise is broken: %s\n", what);
  std::abort();
}

}  // namespace telltale::fuzz
