#include "catcher/tls/payload_rows.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace telltale::catcher {

namespace {

constexpr auto kRefused = "refused the run's CA (pinned or own store)";

bool is_unseen(const Attempt& attempt) {
  return !attempt.tls_refusals.empty() || (!attempt.tls_read && !attempt.tls_unseen.empty());
}

}  // namespace

std::string tls_payload_of(const Attempt& attempt) {
  if (!attempt.tls_refusals.empty())
    return fmt::format("payload unseen: it {}: {}", kRefused,
                       fmt::join(attempt.tls_refusals, "; "));
  if (attempt.tls_read) return "read, with the CA of this run";
  if (attempt.tls_unseen.empty()) return {};
  const auto name = fmt::format("{}", fmt::join(attempt.tls_unseen, ", "));
  if (attempt.protocol == "udp")
    return fmt::format("payload unseen ({}): it is QUIC, which no pass reads", name);
  if (!attempt.tls_failures.empty())
    return fmt::format("payload unseen ({}): {}", name, fmt::join(attempt.tls_failures, "; "));
  return fmt::format("payload unseen ({}); --read-tls reads it in a launch of its own", name);
}

void add_payload_rows(const std::vector<Attempt>& attempts, evidence::LaneRecord& record) {
  std::size_t unseen = 0;
  for (const auto& attempt : attempts) {
    if (!is_unseen(attempt)) continue;
    if (++unseen > kPayloadLimits) continue;
    const auto destination = attempt.destination();
    if (!attempt.tls_refusals.empty())
      record.rows.emplace_back(
          kRefused, destination, "",
          fmt::format("{}: {}", attempt.executable, fmt::join(attempt.tls_refusals, "; ")));
    record.limits.push_back(
        {fmt::format("{}, {}: {}", destination, attempt.executable, tls_payload_of(attempt))});
  }
  if (unseen > kPayloadLimits)
    record.limits.push_back(
        {fmt::format("payload unseen inside TLS: {} more", unseen - kPayloadLimits)});
}

}  // namespace telltale::catcher
