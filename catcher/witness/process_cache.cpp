#include "catcher/witness/process_cache.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "catcher/socket_owner.hpp"
#include "subject/process_tree.hpp"

namespace telltale::catcher {

namespace {

constexpr std::size_t kMaximumThreads = 128;      // two descriptors each
constexpr std::size_t kMaximumPrograms = 10'000;  // about half a kilobyte each
constexpr std::size_t kCommandLineLimit = 400;
constexpr std::size_t kAncestryLimit = 8;
constexpr unsigned kPidfdThread = O_EXCL;  // PIDFD_THREAD of linux/pidfd.h

std::string read_start(const std::string& path, std::size_t limit) {
  const subject::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(limit, '\0');
  const auto size = file.valid() ? ::read(file.get(), text.data(), text.size()) : -1;
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

// The process that a thread belongs to; 0: gone.
pid_t process_of(pid_t thread) {
  const auto status = read_start(fmt::format("/proc/{}/status", thread), 512);
  constexpr std::string_view kField = "\nTgid:\t";
  const auto at = status.find(kField);
  pid_t process = 0;
  if (at != std::string::npos)
    std::from_chars(status.data() + at + kField.size(), status.data() + status.size(), process);
  return process;
}

std::string command_line_of(pid_t pid) {
  auto text = read_start(fmt::format("/proc/{}/cmdline", pid), kCommandLineLimit);
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

WitnessedProgram look_at(pid_t pid) {
  WitnessedProgram program;
  program.pid = pid;
  program.executable = executable_of(pid);
  program.command_line = command_line_of(pid);
  subject::ProcessEntry entry;
  if (!subject::read_process(pid, entry)) return program;
  program.start_time = entry.start_time;
  for (pid_t parent = entry.parent; parent > 1 && program.ancestry.size() < kAncestryLimit;
       parent = entry.parent) {
    if (parent == getpid()) break;
    program.ancestry.push_back(executable_of(parent));
    if (!subject::read_process(parent, entry)) break;
  }
  return program;
}

}  // namespace

void put_into(const WitnessedProgram& program, Sighting& sighting) {
  sighting.pid = program.pid;
  sighting.executable = program.executable;
  sighting.command_line = program.command_line;
  sighting.ancestry = program.ancestry;
}

std::size_t WitnessedThread::read(std::uint64_t address, void* into, std::size_t size) const {
  const auto bytes = pread(memory_.get(), into, size, static_cast<off_t>(address));
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

subject::FileDescriptor WitnessedThread::descriptor(int number) const {
  return subject::FileDescriptor(
      static_cast<int>(syscall(SYS_pidfd_getfd, pidfd_.get(), number, 0)));
}

bool WitnessedThread::lives() const {
  pollfd ended{pidfd_.get(), POLLIN, 0};
  return poll(&ended, 1, 0) == 0;
}

const WitnessedThread* ProcessCache::find(pid_t thread) {
  if (const auto known = threads_.find(thread); known != threads_.end()) {
    if (known->second.keep_) return &known->second;
    threads_.erase(known);
  }
  const pid_t process = process_of(thread);
  if (process == 0) return nullptr;
  WitnessedThread made;
  made.pidfd_ = subject::FileDescriptor(
      static_cast<int>(syscall(SYS_pidfd_open, thread, thread == process ? 0u : kPidfdThread)));
  if (!made.pidfd_.valid()) {
    made.pidfd_ = subject::FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
    made.keep_ = false;
  }
  made.memory_ = subject::FileDescriptor(
      open(fmt::format("/proc/{}/mem", thread).c_str(), O_RDONLY | O_CLOEXEC));
  made.program_ = intern(look_at(process));
  make_room();
  return &threads_.insert_or_assign(thread, std::move(made)).first->second;
}

std::uint32_t ProcessCache::intern(WitnessedProgram program) {
  if (programs_.size() >= kMaximumPrograms) {
    if (programs_.size() == kMaximumPrograms) {
      WitnessedProgram rest;
      rest.command_line = fmt::format("one of more than {} programs", kMaximumPrograms);
      programs_.push_back(std::move(rest));
    }
    return kMaximumPrograms;
  }
  const auto index = static_cast<std::uint32_t>(programs_.size());
  const auto [at, fresh] = index_.try_emplace(
      {program.pid, program.start_time, program.executable, program.command_line}, index);
  if (fresh) programs_.push_back(std::move(program));
  return at->second;
}

void ProcessCache::make_room() {
  if (threads_.size() < kMaximumThreads) return;
  for (auto at = threads_.begin(); at != threads_.end();)
    at = at->second.lives() ? std::next(at) : threads_.erase(at);
  if (threads_.size() >= kMaximumThreads) threads_.clear();
}

}  // namespace telltale::catcher
