// Building a subject from its source.
#pragma once

#include <filesystem>

#include "evidence/result.hpp"
#include "subject/interruption.hpp"
#include "subject/specification.hpp"

namespace telltale::subject {

struct BuildReport {
  std::filesystem::path output;  // absolute
  double seconds = 0;
};

// Runs the build once in the source folder, as the tool's user and in its environment: a compiler
// needs more of it than a subject does. All that it prints is kept in `log`. What the build leaves
// running (a compiler's server) is stopped. Fault::subject when it fails or makes no program.
[[nodiscard]] Result<BuildReport> build_subject(const Specification& specification,
                                                const Build& build,
                                                const std::filesystem::path& log,
                                                const Interruption& interruption);

}  // namespace telltale::subject
