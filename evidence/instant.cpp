#include "evidence/instant.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>

namespace telltale::evidence {

Instant now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

namespace {
std::tm broken_down(Instant instant) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(instant));
}
}  // namespace

std::string rfc3339(Instant instant) {
  const auto fraction = instant.time_since_epoch().count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", broken_down(instant), fraction);
}

std::string compact_utc(Instant instant) {
  return fmt::format("{:%Y%m%dT%H%M%SZ}", broken_down(instant));
}

}  // namespace telltale::evidence
