#include "catcher/environment_matrix.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "subject/environment.hpp"

namespace telltale::catcher {

namespace {

using Names = std::set<std::string>;

constexpr const char* kNoOptOut = "no opt-out";

Names lacking(const Names& all, const Names& some) {
  Names rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

std::string against_first(const Names& first, const Names& now) {
  const auto missing = lacking(first, now);
  const auto besides = lacking(now, first);
  if (missing.empty() && besides.empty())
    return now.empty() ? "no destination, as in launch 1" : "the same destinations as launch 1";
  std::string text;
  if (!missing.empty()) text = fmt::format("not {}", fmt::join(missing, ", "));
  if (besides.empty()) return text;
  return text + fmt::format("{}besides {}", text.empty() ? "" : "; ", fmt::join(besides, ", "));
}

}  // namespace

std::vector<Environment> environment_matrix(const subject::Pairs& opt_outs,
                                            const subject::Pairs& tool) {
  std::vector<std::string> own;
  for (const auto& [name, value] : tool)
    if (subject::is_opt_out(name)) own.push_back(name);
  std::vector<Environment> all{{kNoOptOut, {}, own},
                               {"DO_NOT_TRACK=1", {{"DO_NOT_TRACK", "1"}}, own}};
  for (const auto& name : own) {
    if (name == "DO_NOT_TRACK") continue;
    auto others = own;
    std::erase(others, name);
    all.push_back({name + ", as set here", {}, std::move(others)});
  }
  for (const auto& [name, value] : opt_outs)
    all.push_back({fmt::format("{}={}", name, value), {{name, value}}, own});
  all.push_back({"CI=true", {{"CI", "true"}}, own});
  all.push_back({std::string(kNoOptOut) + ", again", {}, own});
  return all;
}

std::vector<evidence::Row> environment_rows(const std::map<int, std::string>& names,
                                            const std::vector<Attempt>& attempts) {
  if (names.empty()) return {};
  std::map<int, Names> reached;
  for (const auto& attempt : attempts)
    for (const int launch : attempt.launches) reached[launch].insert(attempt.destination());
  const auto& first = reached[names.begin()->first];
  std::vector<evidence::Row> rows;
  for (const auto& [launch, name] : names)
    rows.emplace_back(fmt::format("launch {}: environment", launch), name, "",
                      launch == names.begin()->first ? fmt::format("{} destinations", first.size())
                                                     : against_first(first, reached[launch]));
  return rows;
}

}  // namespace telltale::catcher
