#include "evidence/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace telltale::evidence {

bool is_terminal(int fd) {
  return isatty(fd) == 1;
}

bool is_capable_terminal(int fd) {
  const char* term = std::getenv("TERM");
  return is_terminal(fd) && term != nullptr && std::string_view(term) != "dumb";
}

bool color_wanted(int fd, bool no_color_option) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color_option || (no_color != nullptr && *no_color != '\0');
  return !refused && is_capable_terminal(fd);
}

std::size_t terminal_width(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace telltale::evidence
