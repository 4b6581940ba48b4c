#include "catcher/attempt.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "catcher/tls/payload_rows.hpp"

namespace telltale::catcher {

namespace {

std::string what_was_done(const Attempt& attempt) {
  const auto destination = attempt.destination();
  if (attempt.protocol == "proxy")
    return fmt::format("{} asked the proxy for {}", attempt.executable, destination);
  if (attempt.protocol == "raw" || attempt.protocol == "packet" || attempt.protocol == "vsock")
    return fmt::format("{} asked for a {}", attempt.executable, attempt.host);
  if (attempt.protocol == "namespace")
    return fmt::format("{} asked to enter another namespace, {}", attempt.executable, attempt.host);
  if (attempt.protocol == "unix")
    return fmt::format("{} asked for the unix socket {} of a process outside", attempt.executable,
                       attempt.host);
  if (attempt.protocol == "dns")
    return fmt::format("{} asked for the name {}: {}", attempt.executable, attempt.host,
                       fmt::join(attempt.said, "; "));
  if (attempt.said.empty())
    return fmt::format("{} {} {} over {}", attempt.executable,
                       attempt.protocol == "tcp" ? "connected to" : "sent to", destination,
                       attempt.protocol);
  return fmt::format("{} {} by {}: {}", attempt.protocol, destination, attempt.executable,
                     fmt::join(attempt.said, "; "));
}

}  // namespace

std::string Attempt::destination() const {
  if (host.empty()) return "the proxy itself";
  if (protocol == "dns" || port == 0) return host;  // a socket, a path, a ping: no port
  const bool six = host.find(':') != std::string::npos;
  return six ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

evidence::Finding to_finding(const Attempt& attempt, std::size_t number) {
  evidence::Finding finding;
  finding.id = fmt::format("egress-{}", number);
  finding.what = what_was_done(attempt);
  finding.where = attempt.destination();
  finding.seen_by.assign(attempt.observers.begin(), attempt.observers.end());
  finding.first = attempt.first;
  finding.last = attempt.last;
  finding.details = {{"times", fmt::format("{}", attempt.count)},
                     {"launches", fmt::format("{}", fmt::join(attempt.launches, ", "))},
                     {"phases", fmt::format("{}", fmt::join(attempt.phases, ", "))},
                     {"processes", fmt::format("{}", fmt::join(attempt.pids, ", "))}};
  if (!attempt.requests.empty())
    finding.details.emplace_back("requests", fmt::format("{}", fmt::join(attempt.requests, "; ")));
  if (!attempt.header_names.empty())
    finding.details.emplace_back("headers",
                                 fmt::format("{}", fmt::join(attempt.header_names, ", ")));
  if (!attempt.addresses.empty())
    finding.details.emplace_back("addresses",
                                 fmt::format("{}", fmt::join(attempt.addresses, ", ")));
  if (!attempt.answered_by.empty())
    finding.details.emplace_back("answered inside",
                                 fmt::format("by {}", fmt::join(attempt.answered_by, ", ")));
  if (attempt.payload != 0)
    finding.details.emplace_back("payload read", fmt::format("{} bytes", attempt.payload));
  if (auto payload = tls_payload_of(attempt); !payload.empty())
    finding.details.emplace_back("inside TLS", std::move(payload));
  return finding;
}

}  // namespace telltale::catcher
