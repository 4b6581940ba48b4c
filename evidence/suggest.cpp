#include "evidence/suggest.hpp"

#include <algorithm>
#include <cctype>

namespace telltale::evidence {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (auto& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool begins_with(std::string_view candidate, std::string_view name) {
  return name.size() >= 3 && lower(candidate).rfind(lower(name), 0) == 0;
}

}  // namespace

// Optimal string alignment. Names are short, so the whole table is kept.
std::size_t edit_distance(std::string_view a_written, std::string_view b_written) {
  const auto a = lower(a_written);
  const auto b = lower(b_written);
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  // Nobody mistypes a name of this length; a hostile file should cost nothing.
  if (name.empty() || name.size() > 64) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const auto& candidate : candidates) {
    if (candidate.empty() || candidate.size() > 64) continue;
    const auto distance = edit_distance(name, candidate);
    const auto limit = std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
    const bool near = distance <= limit || begins_with(candidate, name);
    if (near && (best == nullptr || distance < best_distance)) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::nullopt : std::optional<std::string>(*best);
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const auto found = nearest(name, candidates);
  return found ? "; did you mean '" + *found + "'?" : "";
}

}  // namespace telltale::evidence
