#include "subject/doors/group.hpp"

#include <csignal>

namespace telltale::subject {

Exit end_group(Process& process) {
  const pid_t pid = process.pid();
  if (getpgid(pid) == pid) kill(-pid, SIGKILL);
  process.signal(SIGKILL);
  // Only a process in an uninterruptible wait outlasts this; its destructor then waits on.
  return process.wait(Milliseconds{5'000}).value_or(Exit{0, SIGKILL, false});
}

}  // namespace telltale::subject
