#include "subject/interruption.hpp"

#include <poll.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

namespace telltale::subject {

namespace {

bool ignored(int number) {
  struct sigaction action {};
  sigaction(number, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

// A signal that the caller has set to be ignored (nohup, a script's background job) stays ignored.
// SIGTERM is always taken: a supervisor must be able to stop the run.
sigset_t taken_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  for (const int number : {SIGINT, SIGHUP, SIGQUIT})
    if (!ignored(number)) sigaddset(&set, number);
  return set;
}

}  // namespace

Interruption::Interruption() : taken_(taken_signals()) {
  const int error = pthread_sigmask(SIG_BLOCK, &taken_, &before_);
  if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_sigmask");
  event_ = FileDescriptor(signalfd(-1, &taken_, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!event_.valid()) throw std::system_error(errno, std::generic_category(), "signalfd");
}

Interruption::~Interruption() {
  // A signal that is still pending would end the process here, by signal instead of by exit status.
  const timespec at_once{};
  while (sigtimedwait(&taken_, nullptr, &at_once) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int Interruption::signal() const {
  sigset_t pending;
  sigpending(&pending);
  if (sigismember(&pending, SIGINT) == 1 && sigismember(&taken_, SIGINT) == 1) return SIGINT;
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT})
    if (sigismember(&pending, number) == 1 && sigismember(&taken_, number) == 1) return SIGTERM;
  return 0;
}

bool Interruption::wait_ms(int milliseconds) const {
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now());
    pollfd wait{event_.get(), POLLIN, 0};
    const int ready = poll(&wait, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (ready >= 0 || errno != EINTR) return signal() != 0;
  }
}

}  // namespace telltale::subject
