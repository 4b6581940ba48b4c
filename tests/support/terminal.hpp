// A session of its own on a pseudo-terminal, as a shell would run a program there.
#pragma once

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "support/catch.hpp"

namespace telltale::test {

class Terminal {
 public:
  // `program` runs in the child and does not return.
  template <class Program>
  explicit Terminal(const Program& program) {
    tool = forkpty(&fd_, nullptr, nullptr, nullptr);
    if (tool == 0) program();
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { close(fd_); }

  void type(const std::string& text) const {
    REQUIRE(write(fd_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  // Waits until the text is there; false: the terminal's other end was closed before.
  [[nodiscard]] bool shows(const std::string& text) {
    while (!has(text))
      if (!read_more()) return false;
    return true;
  }
  // The same, for as long as something comes within 200 ms.
  [[nodiscard]] bool shows_soon(const std::string& text) {
    for (pollfd more{fd_, POLLIN, 0}; poll(&more, 1, 200) > 0;)
      if (!read_more() || has(text)) break;
    return has(text);
  }
  // The exit status of the program.
  [[nodiscard]] int ended() {
    (void)shows("\x01 never printed");  // to the end, so that nobody blocks on a full terminal
    int status = 0;
    waitpid(tool, &status, 0);
    return WEXITSTATUS(status);
  }

  pid_t tool = 0;

 private:
  [[nodiscard]] bool has(const std::string& text) const {
    return shown_.find(text) != std::string::npos;
  }
  bool read_more() {
    char bytes[4096];
    const ssize_t count = read(fd_, bytes, sizeof bytes);
    if (count > 0) shown_.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  int fd_ = -1;
  std::string shown_;
};

}  // namespace telltale::test
