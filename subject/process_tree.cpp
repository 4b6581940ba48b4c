#include "subject/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>

#include "subject/file_descriptor.hpp"
#include "subject/process/children.hpp"

namespace telltale::subject {

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

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
  const std::unique_ptr<DIR, CloseFolder> folder(opendir("/proc"));
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
  if (ProcessEntry entry; read_process(main, entry)) members_.emplace(main, entry.start_time);
}

bool ProcessTree::adopted(const ProcessEntry& entry) const {
  return entry.parent == getpid() && !known_child(entry.pid) &&
         (foreground_ || entry.session != getsid(0));
}

// Parents and children come in no order, so passes are made until one adds nothing.
std::vector<ProcessEntry> ProcessTree::look() {
  const auto all = read_processes();
  std::map<pid_t, std::uint64_t> members;
  const auto belongs = [&](const ProcessEntry& entry) {
    const auto before = members_.find(entry.pid);
    return members.contains(entry.parent) || adopted(entry) ||
           (before != members_.end() && before->second == entry.start_time);
  };
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& entry : all)
      if (!members.contains(entry.pid) && belongs(entry))
        grew = members.emplace(entry.pid, entry.start_time).second || grew;
  }
  std::vector<ProcessEntry> living;
  for (const auto& entry : all) {
    if (!members.contains(entry.pid)) continue;
    if (entry.state != 'Z' && entry.state != 'X')
      living.push_back(entry);
    else if (entry.parent == getpid())
      reap_stranger(entry.pid);
  }
  members_ = std::move(members);
  std::stable_sort(living.begin(), living.end(), [this](const auto& a, const auto& b) {
    return (a.pid == main_) > (b.pid == main_);
  });
  return living;
}

void signal_process(const ProcessEntry& entry, int number) {
  const FileDescriptor handle(static_cast<int>(syscall(SYS_pidfd_open, entry.pid, 0)));
  ProcessEntry now;
  if (handle.valid() && read_process(entry.pid, now) && now.start_time == entry.start_time)
    syscall(SYS_pidfd_send_signal, handle.get(), number, nullptr, 0);
}

}  // namespace telltale::subject
