#include "sweep/tally.hpp"

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

namespace {

void count_answer(Tally& sums, Answer answer) {
  if (answer == Answer::unknown) {
    ++sums.unknown;
    return;
  }
  ++sums.asked;
  if (answer == Answer::fetchable) ++sums.fetchable;
  if (answer == Answer::absent) ++sums.absent;
  if (answer == Answer::refused) ++sums.refused;
}

}  // namespace

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
    count_answer(sums, one.answer);
    if (one.flapping) ++sums.flapping;
    if (one.module.asked_sum().empty()) ++sums.without_sum;
    ++sums.published[one.publication];
  }
  return sums;
}

}  // namespace telltale::sweep
