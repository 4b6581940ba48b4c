// One program started by the tool: by an Enclosure, which decides in which world it lives.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"
#include "subject/identity.hpp"
#include "subject/specification.hpp"

namespace telltale::subject {

// Everything that a start needs; nothing is inherited that is not named here.
struct ProcessPlan {
  Argv argv;                         // argv[0] is looked up in PATH of `environment`
  Pairs environment;                 // the whole environment
  std::filesystem::path folder;      // working folder
  std::string user;                  // empty: as the tool; else setgid, initgroups, setuid
  std::optional<Identity> identity;  // in place of `user`: of another root's users
  int root = -1;                     // the enclosure's: Enclosure::root()
  bool tools_own = false;            // a program of the tool: it starts on the machine's root
  // Foreground: stdin, stdout, stderr and the terminal of the tool, in its process group, as
  // strace does. Else an own session, stdin /dev/null, output to `output` (both streams).
  bool foreground = false;
  FileDescriptor input;   // stdin when valid
  FileDescriptor output;  // stdout (and stderr when `errors` is not valid)
  FileDescriptor errors;
  FileDescriptor terminal;  // when valid all three, and the terminal of a session of its own
};

// How a process ended.
struct Exit {
  int status = 0;  // exit status, when signal is 0
  int signal = 0;
  bool core = false;
  [[nodiscard]] bool clean() const { return status == 0 && signal == 0; }
  [[nodiscard]] std::string text() const;  // "exit status 3", "killed by signal 11 (SIGSEGV)"
};
[[nodiscard]] Exit exit_of(int wait_status);  // of waitpid(2)

class Process {
 public:
  virtual ~Process() = default;  // a process that still runs is killed and reaped
  [[nodiscard]] virtual pid_t pid() const = 0;
  // A pidfd: readable when the process has ended.
  [[nodiscard]] virtual int ended_fd() const = 0;
  [[nodiscard]] virtual std::optional<Exit> poll() = 0;
  [[nodiscard]] virtual std::optional<Exit> wait(Milliseconds limit) = 0;
  virtual void signal(int number) = 0;
};

}  // namespace telltale::subject
