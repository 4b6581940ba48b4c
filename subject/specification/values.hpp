// The small languages of single values: durations, signals, dates, names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subject/specification.hpp"

namespace telltale::subject {

// "500ms", "30s", "1.5s", "2m", "1h"; a number without a unit is none. At most kLongest.
inline constexpr Milliseconds kLongest = std::chrono::hours(24);
[[nodiscard]] std::optional<Milliseconds> parse_duration(std::string_view text);

// "TERM", "SIGTERM" or "15", signal(7); none for anything else.
[[nodiscard]] std::optional<int> parse_signal(std::string_view text);
[[nodiscard]] const std::vector<std::string>& signal_names();  // without SIG

// A day of the calendar as YYYY-MM-DD (RFC 3339, full-date).
[[nodiscard]] bool is_date(std::string_view text);

// A whole number in decimal, with a sign or without.
[[nodiscard]] std::optional<int> parse_whole(std::string_view text);

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A letter, then letters, digits, '_' and '-': ports, captured names, phases.
[[nodiscard]] bool is_name(std::string_view text);

// A JSON pointer, RFC 6901.
[[nodiscard]] bool is_json_pointer(std::string_view text);

}  // namespace telltale::subject
