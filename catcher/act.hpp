// An act of the control caller: words that name it, and what became of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace telltale::catcher {

using Words = std::vector<std::string>;

// In the kernel's or the peer's own terms: "connected 40000"; of what failed, the reason.
struct Told {
  bool done = false;
  std::string text;
};

[[nodiscard]] Told failed_with(std::string why);
[[nodiscard]] Told failed_with_errno();

// Called once, as soon as there is something to tell; the act may go on after it.
using Tell = std::function<void(const Told&)>;

}  // namespace telltale::catcher
