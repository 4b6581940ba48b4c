#include "evidence/lane_result.hpp"

#include <fmt/core.h>

namespace telltale::evidence {

std::string LaneResult::headline() const {
  auto line = fmt::format("{}: {}", name(judgement_.verdict()), record_.claim);
  if (!record_.bounds.empty()) line += fmt::format(" ({})", record_.bounds);
  return line;
}

LaneResult conclude(LaneRecord record) {
  if (!record.grounds.failure.empty()) {
    record.rows.clear();
    record.tables.clear();
  }
  auto judgement = judge(record.grounds);
  return LaneResult(std::move(record), std::move(judgement));
}

}  // namespace telltale::evidence
