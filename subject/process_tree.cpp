#include "subject/process_tree.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>

#include "subject/directory.hpp"
#include "subject/file_descriptor.hpp"
#include "subject/process/children.hpp"

namespace telltale::subject {

namespace {

// At most `size` bytes: what is asked for here is short, and a file of /proc has no size.
std::string read_short(const std::string& path, std::size_t size) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(size, '\0');
  const ssize_t got = file.valid() ? read(file.get(), text.data(), size) : 0;
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace

// The name in the second field may hold spaces and brackets: the fields start after its last one.
bool read_process(pid_t pid, ProcessEntry& entry) {
  const std::string line = read_short("/proc/" + std::to_string(pid) + "/stat", 4096);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return false;
  unsigned long long start_time = 0;
  entry.pid = pid;
  const int fields =
      std::sscanf(line.c_str() + name_end + 1,
                  " %c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                  &entry.state, &entry.parent, &entry.session, &start_time);
  entry.start_time = start_time;
  return fields == 4;
}

std::vector<ProcessEntry> read_processes() {
  std::vector<ProcessEntry> all;
  const Directory folder(opendir("/proc"));
  while (const dirent* item = folder ? readdir(folder.get()) : nullptr) {
    const std::string_view name = item->d_name;
    ProcessEntry entry;
    pid_t pid = 0;
    if (std::from_chars(name.begin(), name.end(), pid).ptr == name.end() &&
        read_process(pid, entry))
      all.push_back(entry);
  }
  return all;
}

std::string executable_of(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  char path[4096];
  const ssize_t size = readlink((folder + "/exe").c_str(), path, sizeof path);
  if (size > 0) return {path, static_cast<std::size_t>(size)};
  std::string name = read_short(folder + "/comm", 64);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return "[" + name + "]";
}

ProcessTree::ProcessTree(pid_t main, bool foreground) : main_(main), foreground_(foreground) {
  if (ProcessEntry entry; read_process(main, entry)) living_.emplace(main, entry.start_time);
}

bool ProcessTree::adopted(const ProcessEntry& entry) const {
  if (known_reaper(entry.parent)) return true;
  return entry.parent == self_ && !known_child(entry.pid) &&
         (foreground_ || entry.session != getsid(0));
}

// Parents and children come in no order, so passes are made until one adds nothing.
std::vector<ProcessEntry> ProcessTree::members_of(const std::vector<ProcessEntry>& all) const {
  std::set<pid_t> pids;
  const auto belongs = [&](const ProcessEntry& entry) {
    const auto before = living_.find(entry.pid);
    return pids.contains(entry.parent) || adopted(entry) ||
           (before != living_.end() && before->second == entry.start_time);
  };
  std::vector<ProcessEntry> members;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& entry : all) {
      if (pids.contains(entry.pid) || !belongs(entry)) continue;
      pids.insert(entry.pid);
      members.push_back(entry);
      grew = true;
    }
  }
  return members;
}

bool ProcessTree::scan() {
  auto before = living_;
  const auto members = members_of(read_processes());
  living_.clear();
  seen_.clear();
  bool died = false;
  for (const auto& entry : members) {
    if (entry.state != 'Z' && entry.state != 'X') {
      seen_.push_back(entry);
      living_.emplace(entry.pid, entry.start_time);
      before.erase(entry.pid);
    } else if (entry.parent == self_ && !known_child(entry.pid)) {
      reap_stranger(entry.pid);
      died = true;
    }
  }
  return died || !before.empty();
}

// A process that forks and dies while /proc is being read can hide its child: the names were listed
// before the child came, and the state was read after the parent went. So a look that saw
// somebody go is repeated: always when nobody seems to be left, else a few times.
std::vector<ProcessEntry> ProcessTree::look() {
  const std::lock_guard lock(mutex_);
  for (int again = 0; scan() && (seen_.empty() || again < 2); ++again) {
  }
  std::stable_sort(seen_.begin(), seen_.end(), [this](const auto& a, const auto& b) {
    return (a.pid == main_) > (b.pid == main_);
  });
  return seen_;
}

void signal_process(const ProcessEntry& entry, int number) {
  const FileDescriptor handle(static_cast<int>(syscall(SYS_pidfd_open, entry.pid, 0)));
  ProcessEntry now;
  if (handle.valid() && read_process(entry.pid, now) && now.start_time == entry.start_time)
    syscall(SYS_pidfd_send_signal, handle.get(), number, nullptr, 0);
}

}  // namespace telltale::subject
