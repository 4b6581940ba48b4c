#include "catcher/launch_plan.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "catcher/tls/reading_launch.hpp"
#include "evidence/counted.hpp"

namespace telltale::catcher {

namespace {

// "a, b and c".
std::string listed(const std::vector<std::string>& parts) {
  auto text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i)
    text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

}  // namespace

std::string Start::name() const {
  return fmt::format("launch {}{}", number, note);
}

std::vector<Start> starts_of(const subject::Specification& specification,
                             ProxyVariables how_proxied) {
  const bool every = how_proxied == ProxyVariables::every;
  std::vector<Start> all;
  const auto next = [&] { return static_cast<int>(all.size()) + 1; };
  while (static_cast<int>(all.size()) < specification.egress->launches)
    all.push_back({next(), "", nullptr, "", every});
  if (how_proxied == ProxyVariables::one_more)
    all.push_back({next(), " (proxy variables)", nullptr, "", true});
  for (const auto& [phase, difference] : specification.phases)
    all.push_back({next(), " (phase " + phase + ")", &difference, phase, every});
  if (specification.egress->read_tls)
    all.push_back({next(), " (TLS read)", nullptr, "", false, true});
  return all;
}

std::string launches_in_words(const subject::Specification& specification,
                              ProxyVariables how_proxied) {
  const auto& settings = *specification.egress;
  std::vector<std::string> launches{
      evidence::counted(static_cast<std::uint64_t>(settings.launches), "launch", "launches")};
  if (how_proxied == ProxyVariables::one_more) launches.emplace_back("1 with proxy variables");
  if (!specification.phases.empty())
    launches.push_back(fmt::format("{} of a phase", specification.phases.size()));
  if (settings.read_tls) launches.push_back(std::string("1") + kReadingTls);
  return fmt::format("{:g} s, {}", std::chrono::duration<double>(settings.window).count(),
                     listed(launches));
}

std::string answered_in_words(const std::vector<std::string>& servers) {
  constexpr std::size_t kNamed = 3;
  if (servers.empty()) return {};
  const auto named = std::min(servers.size(), kNamed);
  auto text = fmt::format(
      ", answered inside: {}",
      fmt::join(servers.begin(), servers.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (servers.size() > named) text += fmt::format(" and {} more", servers.size() - named);
  return text;
}

}  // namespace telltale::catcher
