// What a process is, remembered from one system call of it to the next.
//
// /proc/PID/exe, cmdline and the ancestors cost more to read than the notification itself, so they
// are read once a program. An entry is one thread (the pid of a notification is a thread's) with
//   a pidfd of that thread: when it is readable the number may be another's by now;
//   (asking it costs a system call, so it is asked after the call was read, and not where a
//   duplicate of a descriptor, taken through it, has proved it);
//   its memory, opened once: it belongs to the address space and not to the number, so after an
//   exec or an exit it reads nothing, and the entry is made anew.
// Before Linux 6.9 a pidfd names a whole process only; other threads than the first are then looked
// up at every call.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "catcher/sighting.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

// One program in one process; what the process executes next is another.
struct WitnessedProgram {
  pid_t pid = 0;                      // of the process, as this tool's PID namespace counts
  std::uint64_t start_time = 0;       // clock ticks since boot; with the pid it names one process
  std::string executable;             // empty: /proc did not let us look
  std::string command_line;           // arguments joined by spaces, at most 400 bytes
  std::vector<std::string> ancestry;  // executables, parent first, up to this tool; at most 8
};

void put_into(const WitnessedProgram& program, Sighting& sighting);

class WitnessedThread {
 public:
  // Bytes of its memory; fewer where the mapping ends; 0: it has executed something else or ended.
  [[nodiscard]] std::size_t read(std::uint64_t address, void* into, std::size_t size) const;
  // A duplicate of one of its descriptors; invalid when it has none of that number.
  [[nodiscard]] subject::FileDescriptor descriptor(int number) const;
  [[nodiscard]] std::uint32_t program() const { return program_; }
  // False: its number may be another's by now, and what was read of it as well.
  [[nodiscard]] bool lives() const;

 private:
  friend class ProcessCache;

  subject::FileDescriptor pidfd_, memory_;
  std::uint32_t program_ = 0;
  bool keep_ = true;  // the pidfd is of this very thread
};

// Not thread-safe: the supervisor's own.
class ProcessCache {
 public:
  // nullptr: the thread is gone. One that was found before may not be it any more: lives().
  [[nodiscard]] const WitnessedThread* find(pid_t thread);
  void forget(pid_t thread) { threads_.erase(thread); }
  [[nodiscard]] const WitnessedProgram& program(std::uint32_t index) const {
    return programs_[index];
  }

 private:
  [[nodiscard]] std::uint32_t intern(WitnessedProgram program);
  void make_room();

  std::unordered_map<pid_t, WitnessedThread> threads_;
  std::deque<WitnessedProgram> programs_;
  std::map<std::tuple<pid_t, std::uint64_t, std::string, std::string>, std::uint32_t> index_;
};

}  // namespace telltale::catcher
