// What a tool says while it runs, on stderr. Results go elsewhere.
//
//   Messages messages(std::cerr, STDERR_FILENO, Verbosity::normal);
//   messages.progress("egress: round 3 of 20");   // one line, replaced by the next; terminal only
//   messages.say("the evidence is in evidence/notes-...");
//   messages.detail("proxy on 127.0.0.1:34567");   // with -v
//   messages.error(error);                         // always, with its fix
#pragma once

#include <chrono>
#include <iosfwd>
#include <mutex>
#include <string_view>

#include "evidence/result.hpp"

namespace telltale::evidence {

enum class Verbosity { quiet, normal, verbose };

// May be used by several threads. Text is made visible (characters.hpp) before it is written.
class Messages {
 public:
  // Progress is shown when `fd`, where `out` ends, is a terminal that is not "dumb".
  Messages(std::ostream& out, int fd, Verbosity verbosity);
  Messages(std::ostream& out, Verbosity verbosity, bool show_progress, std::size_t width);
  ~Messages();  // takes the progress line away
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  void progress(std::string_view text);  // at most 10 a second; the others are dropped
  void clear_progress();
  // What happens, for somebody who watches: a line that stays, where progress would be shown.
  void event(std::string_view text);
  [[nodiscard]] bool shows_progress() const { return show_progress_; }
  void say(std::string_view text);
  void detail(std::string_view text);
  void warn(std::string_view text);  // "warning: ..."; always
  void error(const Error& error);    // "error: ...", "  fix: ..."; always

 private:
  void write(std::string_view text);
  void erase();

  std::mutex mutex_;
  std::ostream& out_;
  Verbosity verbosity_;
  bool show_progress_;
  std::size_t width_;
  bool line_shown_ = false;
  std::chrono::steady_clock::time_point next_progress_{};
};

}  // namespace telltale::evidence
