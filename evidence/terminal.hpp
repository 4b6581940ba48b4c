// Whether a stream is a terminal, and what it may be sent.
#pragma once

#include <cstddef>

namespace telltale::evidence {

[[nodiscard]] bool is_terminal(int fd);
// A terminal that is not "dumb": it understands escape sequences.
[[nodiscard]] bool is_capable_terminal(int fd);

// A capable terminal, NO_COLOR unset or empty (no-color.org), and no --no-color.
[[nodiscard]] bool color_wanted(int fd, bool no_color_option);

// Columns; 80 when the terminal does not say.
[[nodiscard]] std::size_t terminal_width(int fd);

}  // namespace telltale::evidence
