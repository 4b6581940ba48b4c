// Finding the program of a plan, and saying why one did not start.
//
// execve(2) answers ENOENT for a missing file, a missing script interpreter and a missing ELF
// loader alike; the file itself is read to tell them apart. All of it is Fault::subject, but for
// a user that does not exist or cannot be taken on, which is Fault::input.
#pragma once

#include <filesystem>

#include "evidence/result.hpp"
#include "subject/process.hpp"
#include "subject/process/child.hpp"

namespace telltale::subject {

// argv[0] with a slash as it is, else the first executable file of that name in PATH of the plan's
// own environment.
[[nodiscard]] Result<std::filesystem::path> find_program(const ProcessPlan& plan);

[[nodiscard]] Error start_error(const Child& child, const StageFailure& failure);

}  // namespace telltale::subject
