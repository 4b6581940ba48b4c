// Work that must be done in another network namespace: runs it on a thread that has entered one,
// and waits for it. What is made there (sockets, capture handles) belongs there and can be used
// from any thread afterwards.
#pragma once

#include <functional>

#include "evidence/result.hpp"

namespace telltale::catcher {

using Within = std::function<Result<>(const std::function<Result<>()>&)>;

}  // namespace telltale::catcher
