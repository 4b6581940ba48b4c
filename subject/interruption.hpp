// SIGINT and SIGTERM of the tool itself.
//
// One Interruption lives in main. It blocks both signals in every thread and takes them from a
// signalfd, so a wait can watch fd() beside what it waits for; the signal stays pending for fd()
// readers until the run has cleaned up. The second signal does not shorten the clean-up.
//
// SIGHUP and SIGQUIT are taken too and reported as SIGTERM, so that a closed terminal leaves no
// process behind. A signal that the tool's caller has set to be ignored (nohup, a background job of
// a script) stays ignored; SIGTERM never is.
#pragma once

#include <csignal>

#include "subject/file_descriptor.hpp"

namespace telltale::subject {

class Interruption {
 public:
  Interruption();   // call before any thread exists; throws std::system_error
  ~Interruption();  // pending signals are dropped and the signal mask is put back
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Becomes readable at the first signal and stays so. Never read from it.
  [[nodiscard]] int fd() const { return event_.get(); }
  // SIGINT, SIGTERM or 0. Never blocks.
  [[nodiscard]] int signal() const;
  // Sleeps, or returns early; true when interrupted.
  [[nodiscard]] bool wait_ms(int milliseconds) const;

 private:
  sigset_t taken_;
  sigset_t before_{};
  FileDescriptor event_;
};

}  // namespace telltale::subject
