// The readers of the Go ecosystem. What each sees is in the comment at the top of its file.
#pragma once

#include "sweep/readers/reader.hpp"

namespace telltale::sweep {

[[nodiscard]] const Reader& go_binary_reader();  // "binary": what the program is built from
[[nodiscard]] const Reader& go_mod_reader();     // "go.mod": what the source asks for
[[nodiscard]] const Reader& go_sum_reader();     // "go.sum": a superset of what is needed

}  // namespace telltale::sweep
