#include "subject/process.hpp"

#include <sys/wait.h>

#include <cstring>

namespace telltale::subject {

Exit exit_of(int wait_status) {
  Exit exit;
  if (WIFSIGNALED(wait_status)) {
    exit.signal = WTERMSIG(wait_status);
    exit.core = WCOREDUMP(wait_status);
  } else {
    exit.status = WEXITSTATUS(wait_status);
  }
  return exit;
}

std::string Exit::text() const {
  if (signal == 0) return "exit status " + std::to_string(status);
  std::string text = "killed by signal " + std::to_string(signal);
  if (const char* name = sigabbrev_np(signal); name != nullptr)
    text += std::string(" (SIG") + name + ")";
  return core ? text + ", core dumped" : text;
}

}  // namespace telltale::subject
