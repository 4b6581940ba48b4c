// How long a wait may last, and what else ends it.
#pragma once

#include <poll.h>

#include <chrono>
#include <span>

#include "subject/specification.hpp"

namespace telltale::subject {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  // interrupt_fd: readable once the run was interrupted (Interruption::fd()); -1: nothing but time
  // ends the wait.
  explicit Deadline(Milliseconds limit, int interrupt_fd = -1)
      : start_(Clock::now()), limit_(limit), interrupt_fd_(interrupt_fd) {}

  [[nodiscard]] Milliseconds limit() const { return limit_; }
  [[nodiscard]] Clock::time_point start() const { return start_; }
  [[nodiscard]] int interrupt_fd() const { return interrupt_fd_; }
  // Rounded up, so that a wait of this length never wakes before the deadline; 0 when it passed.
  [[nodiscard]] int left_ms() const;
  [[nodiscard]] std::chrono::nanoseconds elapsed() const { return Clock::now() - start_; }

 private:
  Clock::time_point start_;
  Milliseconds limit_;
  int interrupt_fd_;
};

enum class Wait { ready, late, interrupted };

// poll(2) until one of the descriptors has an event; `revents` is filled in. At most 7 of them.
[[nodiscard]] Wait wait_for(std::span<pollfd> descriptors, const Deadline& deadline);
[[nodiscard]] Wait wait_for(int descriptor, short events, const Deadline& deadline);
// Sleeps at most this long; never beyond the deadline.
[[nodiscard]] Wait pause(Milliseconds time, const Deadline& deadline);

}  // namespace telltale::subject
