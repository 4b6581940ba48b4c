// What happens between fork and exec.
//
// Only async-signal-safe calls are allowed there, because the tool has threads: everything that
// allocates or asks the name services is done before the fork (prepare_child), and the child only
// walks through numbered stages (Child::run). Nothing is inherited that the plan does not name:
//
//   1 session       an own session, without a terminal or with the planned one; a foreground
//                   command without one keeps the tool's
//   2 signals       dispositions back to the default, nothing blocked
//   3 standard i/o  input, output and errors as planned, else /dev/null
//   4 world         the enclosure's namespaces, where it has any (Threshold)
//   5 user          setgroups, setgid, setuid; that root cannot be taken back is checked
//   6 folder        entered as that user, so a folder that it cannot reach is an error here
//   7 parent death  SIGKILL when the tool dies. Set after the user switch, which clears it. It
//                   covers this process only: what it forked lives on when the tool is killed
//                   with SIGKILL, and it is lost when a set-user-id program is executed
//   8 descriptors   all above standard error are closed by the exec
//   9 exec
//
// A stage that fails writes its number and errno to the error pipe and leaves with _exit.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"
#include "subject/identity.hpp"
#include "subject/process.hpp"

namespace telltale::subject {

enum class Stage : int {
  session = 1,
  signals,
  standard_io,
  world,
  user,
  folder,
  parent_death,
  descriptors,
  exec
};

struct StageFailure {
  Stage stage = Stage::exec;
  int error = 0;  // errno
};

// The way into another world. Both are called in the child: system calls only. 0, or an errno.
class Threshold {
 public:
  virtual ~Threshold() = default;
  [[nodiscard]] virtual int cross() const = 0;  // with all rights still there
  [[nodiscard]] virtual int leave() const = 0;  // right before the exec
};

class Child {
 public:
  [[nodiscard]] static Result<Child> prepare(ProcessPlan plan);
  Child(Child&&) = default;

  // In the child: does not return. Without a threshold it stays on this machine.
  [[noreturn]] void run(const Threshold* threshold = nullptr) const;
  // In the parent, after the fork: waits for the exec. nullopt: it happened.
  [[nodiscard]] std::optional<StageFailure> failure();

  [[nodiscard]] const std::filesystem::path& program() const { return program_; }
  [[nodiscard]] const ProcessPlan& plan() const { return plan_; }

 private:
  Child() = default;
  void enter_session() const;
  void reset_signals() const;
  void set_standard_io() const;
  void become_user() const;
  void enter_folder() const;
  void die_with_parent() const;
  void close_descriptors() const;
  [[noreturn]] void leave(Stage stage) const;

  ProcessPlan plan_;
  std::filesystem::path program_;  // absolute, or with a slash: relative to the folder
  Identity identity_;
  bool switch_user_ = false;
  std::vector<std::string> variables_;  // NAME=VALUE
  std::vector<char*> argv_, environment_;
  FileDescriptor null_, report_, told_;  // /dev/null; the two ends of the error pipe
  pid_t parent_ = 0;
};

}  // namespace telltale::subject
