// Catch2 2.13 has no SKIP: an early return reads as a pass. A test that needs something of the
// machine asks here, so that a skip is printed, counted, and a failure in CI.
#pragma once

#include <string>

namespace telltale::test {

//   if (!require(have_root, "root, to mount a tmpfs")) return;
// Records a skip when `there` is false; returns `there`.
[[nodiscard]] bool require(bool there, const std::string& what);

// Prints every skip; returns 1 when there was one and CI is set, else 0.
int report_skips();

// The program is on the PATH.
[[nodiscard]] bool have_program(const std::string& name);

}  // namespace telltale::test
