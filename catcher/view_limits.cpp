#include "catcher/view_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "catcher/world/overlay.hpp"

namespace telltale::catcher {

namespace {

constexpr std::size_t kNamed = 8;

std::string named(const std::vector<std::string>& all) {
  const auto shown = std::min(all.size(), kNamed);
  const auto text = fmt::format(
      "{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return all.size() <= kNamed ? text : fmt::format("{} and {} more", text, all.size() - kNamed);
}

}  // namespace

std::vector<evidence::Limit> view_limits(const World& world) {
  if (world.overlaid().empty()) return {};
  std::vector<evidence::Limit> limits = {
      {"files written: what was written below /dev, /proc, /run and /sys is not listed, nor what "
       "came and went within the run"}};
  if (world.root() >= 0) return limits;
  limits.push_back(
      {"files written: not listed is the tool's own work folder of a launch; a folder that was "
       "there before cannot be renamed (EXDEV), and nothing can be made directly in /"});
  if (!world.uncovered().empty())
    limits.push_back(
        {"files written: these are the machine's own, and what can be written there "
         "stays and is not listed: " +
         named(world.uncovered())});
  if (geteuid() != 0)
    limits.push_back(
        {"files written: an ordinary user's copies are its own, so a file in a folder of somebody "
         "else is not written (EOVERFLOW), where the machine would allow it"});
  return limits;
}

}  // namespace telltale::catcher
