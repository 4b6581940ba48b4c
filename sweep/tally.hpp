// The arithmetic of a sweep: asked + skipped with its reason + unknown = parsed, since each module
// is counted in one place.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sweep/survey.hpp"

namespace telltale::sweep {

struct Tally {
  std::size_t parsed = 0;
  std::size_t needed = 0;  // parsed, less what is not fetched by anyone who builds the program
  std::size_t asked = 0;   // of the needed ones, and answered: fetchable, absent or refused
  std::size_t fetchable = 0, absent = 0, refused = 0;
  std::size_t unknown = 0;
  std::size_t private_names = 0;
  std::size_t flapping = 0;
  std::size_t without_sum = 0;                   // asked or unknown, and no hash was recorded
  std::map<ModuleKind, std::size_t> skipped;     // by kind
  std::map<Publication, std::size_t> published;  // of those asked for
};

[[nodiscard]] Tally tally(const std::vector<ModuleAnswer>& modules);

// Whether a module of this kind is something that a builder must get from somewhere.
[[nodiscard]] bool is_needed(ModuleKind kind);

}  // namespace telltale::sweep
