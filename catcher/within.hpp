// Work that must be done in another network namespace: runs it on a thread that has entered one,
// and waits for it. What is made there (sockets, capture handles) belongs there and can be used
// from any thread afterwards.
#pragma once

#include <functional>

#include "evidence/result.hpp"

namespace telltale::catcher {

using Within = std::function<Result<>(const std::function<Result<>()>&)>;

// No other namespace: the tool's own.
[[nodiscard]] inline Within within_this_network() {
  return [](const std::function<Result<>()>& work) { return work(); };
}

}  // namespace telltale::catcher
