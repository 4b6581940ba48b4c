// Server-sent events, as far as MCP uses them (WHATWG HTML, section 9.2): the data of each event.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace telltale::subject::mcp {

// The `data` of every event in the text, lines joined by a line feed. An event that the end of the
// text cuts off counts too; what is no data is skipped.
[[nodiscard]] std::vector<std::string> event_data(std::string_view text);

// True when the event that holds the character at `position` has ended (an empty line follows).
[[nodiscard]] bool event_ended(std::string_view text, std::size_t position);

}  // namespace telltale::subject::mcp
