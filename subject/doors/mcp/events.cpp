#include "subject/doors/mcp/events.hpp"

#include <algorithm>

namespace telltale::subject::mcp {

namespace {

// The next line without its end (LF or CR LF); the text moves on.
std::string_view next_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// "data: {...}" or "data:{...}"; false for another field or a comment.
bool is_data(std::string_view& line) {
  if (!line.starts_with("data:")) return false;
  line.remove_prefix(5);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return true;
}

}  // namespace

std::vector<std::string> event_data(std::string_view text) {
  std::vector<std::string> all;
  bool open = false;
  while (!text.empty()) {
    auto line = next_line(text);
    if (line.empty()) {
      open = false;
    } else if (is_data(line)) {
      if (open) {
        all.back().append("\n").append(line);
      } else {
        all.emplace_back(line);
      }
      open = true;
    }
  }
  return all;
}

bool event_ended(std::string_view text, std::size_t position) {
  text.remove_prefix(position);
  return text.find("\n\n") != text.npos || text.find("\n\r\n") != text.npos;
}

}  // namespace telltale::subject::mcp
