#include "subject/process/children.hpp"

#include <sys/wait.h>

#include <mutex>
#include <set>

namespace telltale::subject {

namespace {

struct Children {
  std::mutex mutex;
  std::set<pid_t> pids;
  std::set<pid_t> reapers;
};

Children& children() {
  static Children all;
  return all;
}

}  // namespace

void start_child(const std::function<pid_t()>& start) {
  const std::lock_guard lock(children().mutex);
  if (const pid_t pid = start(); pid > 0) children().pids.insert(pid);
}

std::optional<int> reap_child(pid_t pid) {
  constexpr int kStatusLost = 255 << 8;
  const std::lock_guard lock(children().mutex);
  int status = kStatusLost;
  if (waitpid(pid, &status, WNOHANG) == 0) return std::nullopt;
  children().pids.erase(pid);
  children().reapers.erase(pid);
  return status;
}

bool known_child(pid_t pid) {
  const std::lock_guard lock(children().mutex);
  return children().pids.contains(pid);
}

void add_reaper(pid_t pid) {
  const std::lock_guard lock(children().mutex);
  children().reapers.insert(pid);
}

bool known_reaper(pid_t pid) {
  const std::lock_guard lock(children().mutex);
  return children().reapers.contains(pid);
}

void reap_stranger(pid_t pid) {
  const std::lock_guard lock(children().mutex);
  if (!children().pids.contains(pid)) waitpid(pid, nullptr, WNOHANG);
}

}  // namespace telltale::subject
