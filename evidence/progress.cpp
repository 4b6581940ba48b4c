#include "evidence/progress.hpp"

#include <algorithm>
#include <ostream>
#include <string>

#include "evidence/characters.hpp"
#include "evidence/terminal.hpp"

namespace telltale::evidence {

Messages::Messages(std::ostream& out, int fd, Verbosity verbosity)
    : Messages(out, verbosity, is_capable_terminal(fd), terminal_width(fd)) {}

Messages::Messages(std::ostream& out, Verbosity verbosity, bool show_progress, std::size_t width)
    : out_(out),
      verbosity_(verbosity),
      show_progress_(show_progress && verbosity != Verbosity::quiet),
      width_(width) {}

Messages::~Messages() {
  clear_progress();
}

void Messages::erase() {
  if (line_shown_) out_ << "\r\033[K" << std::flush;
  line_shown_ = false;
}

void Messages::clear_progress() {
  const std::lock_guard lock(mutex_);
  erase();
}

void Messages::progress(std::string_view text) {
  if (!show_progress_) return;
  const std::lock_guard lock(mutex_);
  const auto time = std::chrono::steady_clock::now();
  if (time < next_progress_) return;
  next_progress_ = time + std::chrono::milliseconds(100);
  erase();
  // A line that reaches the last column would wrap, and only its last row be erased.
  out_ << wrap(visible(text), width_ > 1 ? width_ - 1 : 1, "", "").front() << std::flush;
  line_shown_ = true;
}

void Messages::write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  erase();
  // Only the first line stands at the margin: quoted output cannot pass for a message of ours.
  const char* indent = "";
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out_ << indent << visible(text.substr(0, end)) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    indent = "    ";
  }
  out_ << std::flush;
}

void Messages::say(std::string_view text) {
  if (verbosity_ != Verbosity::quiet) write(text);
}

void Messages::event(std::string_view text) {
  if (show_progress_) write(text);
}

void Messages::detail(std::string_view text) {
  if (verbosity_ == Verbosity::verbose) write(text);
}

void Messages::warn(std::string_view text) {
  write("warning: " + std::string(text));
}

void Messages::error(const Error& error) {
  write("error: " + error.what);
  if (!error.fix.empty()) write("  fix: " + error.fix);
}

}  // namespace telltale::evidence
