#include "catcher/tls/reading_launch.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace telltale::catcher {

Result<> begin_reading_tls(Setting& setting, const std::string& launch, const subject::Pairs& own,
                           subject::Pairs& given, evidence::LaneRecord& record) {
  if (auto begun = setting.read_tls(true); !begun) return begun;
  std::vector<std::string> names;
  for (auto& variable : setting.tls_environment(own)) {
    names.push_back(variable.first);
    given.push_back(std::move(variable));
  }
  record.rows.emplace_back("TLS read in", launch, "",
                           fmt::format("a CA of this run stood beside the system's, in its files "
                                       "and by {}; a program may behave otherwise with it",
                                       fmt::join(names, ", ")));
  return {};
}

}  // namespace telltale::catcher
