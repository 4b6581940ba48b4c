#include "catcher/launch_comparison.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace telltale::catcher {

LaunchComparison::LaunchComparison(ComparedLaunches launches, const std::vector<Attempt>& attempts)
    : launches_(std::move(launches)) {
  for (const auto& attempt : attempts)
    for (const int launch : attempt.launches)
      if (launches_.plain.count(launch) != 0 || launches_.with_proxy == launch)
        seen_[attempt.destination()].insert(launch);
}

std::string LaunchComparison::difference(const std::set<int>& seen) const {
  std::set<int> plain;
  std::set_intersection(seen.begin(), seen.end(), launches_.plain.begin(), launches_.plain.end(),
                        std::inserter(plain, plain.end()));
  const bool with_proxy = launches_.with_proxy && seen.count(*launches_.with_proxy) != 0;
  if (seen.empty()) return {};
  if (plain.empty()) return launches_.plain.empty() ? "" : "only with proxy variables";
  const bool in_all = plain == launches_.plain;
  if (in_all && with_proxy == launches_.with_proxy.has_value()) return {};
  if (in_all) return "only without proxy variables";
  const bool only_first = plain.size() == 1 && *plain.begin() == *launches_.plain.begin();
  if (only_first && !with_proxy) return "only in the first launch";
  return fmt::format("only in launches {}", fmt::join(seen, ", "));
}

std::string LaunchComparison::of(const Attempt& attempt) const {
  const auto seen = seen_.find(attempt.destination());
  return seen == seen_.end() ? "" : difference(seen->second);
}

std::vector<evidence::Row> LaunchComparison::rows() const {
  const auto count = launches_.plain.size() + (launches_.with_proxy ? 1 : 0);
  if (count < 2) return {};
  std::vector<evidence::Row> rows;
  for (const auto& [destination, seen] : seen_)
    if (auto how = difference(seen); !how.empty())
      rows.emplace_back("launches differ", destination, "", std::move(how));
  if (rows.empty())
    rows.emplace_back("launches differ", "no", "",
                      fmt::format("{} launches: each destination in all of them, or in none{}",
                                  count, launches_.with_proxy ? "; one had proxy variables" : ""));
  return rows;
}

}  // namespace telltale::catcher
