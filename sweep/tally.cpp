#include "sweep/tally.hpp"

#include <stdexcept>

namespace telltale::sweep {

bool is_needed(ModuleKind kind) {
  switch (kind) {
    case ModuleKind::published:
    case ModuleKind::local:
    case ModuleKind::private_name:
    case ModuleKind::unresolved:
      return true;
    case ModuleKind::main:
    case ModuleKind::toolchain:
    case ModuleKind::graph_only:
      return false;
  }
  return true;
}

std::size_t Tally::skipped_in_all() const {
  std::size_t all = 0;
  for (const auto& [kind, count] : skipped) all += count;
  return all;
}

void Tally::check() const {
  if (asked + unknown + skipped_in_all() != parsed || fetchable + absent + refused != asked)
    throw std::logic_error("the modules asked, skipped and unknown are not the modules parsed");
}

Tally tally(const std::vector<ModuleAnswer>& modules) {
  Tally sums;
  for (const auto& one : modules) {
    ++sums.parsed;
    if (is_needed(one.module.kind)) ++sums.needed;
    if (one.module.kind == ModuleKind::private_name) ++sums.private_names;
    if (!one.module.asked()) {
      ++sums.skipped[one.module.kind];
      continue;
    }
    if (one.answer == Answer::unknown) ++sums.unknown;
    if (one.answer != Answer::unknown) ++sums.asked;
    if (one.answer == Answer::fetchable) ++sums.fetchable;
    if (one.answer == Answer::absent) ++sums.absent;
    if (one.answer == Answer::refused) ++sums.refused;
    if (one.flapping) ++sums.flapping;
    if (one.module.asked_sum().empty()) ++sums.without_sum;
    ++sums.published[one.publication];
  }
  sums.check();
  return sums;
}

}  // namespace telltale::sweep
