// A point in time as results carry it: wall clock, UTC, milliseconds.
#pragma once

#include <chrono>
#include <string>

namespace telltale::evidence {

using Instant = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

[[nodiscard]] Instant now();

// 2026-11-30T13:23:26.042Z (RFC 3339)
[[nodiscard]] std::string rfc3339(Instant instant);

// 20261130T132326Z, for names of files and folders.
[[nodiscard]] std::string compact_utc(Instant instant);

}  // namespace telltale::evidence
