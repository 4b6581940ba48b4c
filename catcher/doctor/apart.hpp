// Something tried in a process of its own: it may give up its namespaces, be ended by a filter or
// hang, and the tool is as it was.
//
// Call it while the tool has one thread: what is tried is ordinary code, not only system calls.
#pragma once

#include <functional>
#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

// A word about how it went, often empty.
using Trial = std::function<Result<std::string>()>;

// What it gave. A process that does not come back within 10 s, or is ended by a signal, is a
// Fault::instrument that says so. Texts are cut at 8 KiB.
[[nodiscard]] Result<std::string> try_apart(const Trial& attempt);

}  // namespace telltale::catcher
