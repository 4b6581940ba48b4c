// A thread that takes no signal: they are for the main thread, which waits for them.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace telltale::subject {

template <class Function>
[[nodiscard]] std::thread quiet_thread(Function function) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(function));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace telltale::subject
