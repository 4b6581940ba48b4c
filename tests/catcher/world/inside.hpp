// What the tests of the sealed world share: one world a program, and Python as its subject.
#pragma once

#include <functional>
#include <string>

#include "catcher/world/sealed_enclosure.hpp"

namespace telltale::test {

// Made at the first call (before any thread). nullptr where the machine does not allow it; the test
// then asks require(): if (!sealed()) return.
[[nodiscard]] catcher::SealedEnclosure* sealed();

// Keeps it while a test lives, and says why there is none.
[[nodiscard]] bool have_world();

struct Inside {
  subject::Exit exit;
  std::string output;  // both streams
};
// Runs a command in the world and waits for its end, a minute at most.
[[nodiscard]] Inside run_inside(subject::Argv argv,
                                const std::function<void(subject::ProcessPlan&)>& change = {});
// The same with a Python program, which has `socket`, `os`, `sys`, `errno` and try_(f): it prints
// "ok RESULT", or the name of the errno.
[[nodiscard]] Inside python_inside(const std::string& program,
                                   const std::function<void(subject::ProcessPlan&)>& change = {});
// Starts one that goes on; `output` is a pipe's reading end.
[[nodiscard]] std::unique_ptr<subject::Process> start_python(const std::string& program,
                                                             subject::FileDescriptor& output);
// Up to the end of a line, five seconds at most.
[[nodiscard]] std::string read_line(int fd);

// telltale-caller, where whoever runs the tests can execute it.
[[nodiscard]] std::string caller_program();

[[nodiscard]] bool eventually(const std::function<bool()>& condition);

}  // namespace telltale::test
