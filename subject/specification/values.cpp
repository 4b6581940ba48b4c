#include "subject/specification/values.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <csignal>
#include <utility>

namespace telltale::subject {

namespace {

constexpr std::array<std::pair<std::string_view, int>, 18> kSignals = {{
    {"ABRT", SIGABRT},
    {"ALRM", SIGALRM},
    {"CHLD", SIGCHLD},
    {"CONT", SIGCONT},
    {"HUP", SIGHUP},
    {"INT", SIGINT},
    {"KILL", SIGKILL},
    {"PIPE", SIGPIPE},
    {"PWR", SIGPWR},
    {"QUIT", SIGQUIT},
    {"STOP", SIGSTOP},
    {"TERM", SIGTERM},
    {"TSTP", SIGTSTP},
    {"TTIN", SIGTTIN},
    {"TTOU", SIGTTOU},
    {"USR1", SIGUSR1},
    {"USR2", SIGUSR2},
    {"WINCH", SIGWINCH},
}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::optional<double> unit_in_milliseconds(std::string_view unit) {
  if (unit == "ms") return 1.0;
  if (unit == "s") return 1e3;
  if (unit == "m") return 60e3;
  if (unit == "h") return 3600e3;
  return std::nullopt;
}

std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  for (auto i = at; i < at + count; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    number = number * 10 + (text[i] - '0');
  }
  return number;
}

}  // namespace

std::optional<Milliseconds> parse_duration(std::string_view text) {
  const auto unit_start =
      std::find_if(text.begin(), text.end(), [](char c) { return !is_digit(c) && c != '.'; });
  const auto number_size = static_cast<std::size_t>(unit_start - text.begin());
  if (number_size == 0 || !is_digit(text[0]) || !is_digit(text[number_size - 1]))
    return std::nullopt;
  const auto factor = unit_in_milliseconds(text.substr(number_size));
  if (!factor) return std::nullopt;
  double number = 0;
  const auto* end = text.data() + number_size;
  const auto parsed = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const double milliseconds = number * *factor;
  if (parsed.ec != std::errc() || parsed.ptr != end ||
      milliseconds > static_cast<double>(kLongest.count()))
    return std::nullopt;
  return Milliseconds(static_cast<Milliseconds::rep>(milliseconds + 0.5));
}

std::optional<int> parse_signal(std::string_view text) {
  if (text.substr(0, 3) == "SIG") text.remove_prefix(3);
  for (const auto& [name, number] : kSignals)
    if (name == text) return number;
  const auto number = parse_whole(text);
  const bool known = number && *number >= 1 && *number < NSIG && is_digit(text[0]);
  return known ? number : std::nullopt;
}

const std::vector<std::string>& signal_names() {
  static const auto names = [] {
    std::vector<std::string> list;
    for (const auto& [name, number] : kSignals) list.emplace_back(name);
    return list;
  }();
  return names;
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = digits_at(text, 0, 4);
  const auto month = digits_at(text, 5, 2);
  const auto day = digits_at(text, 8, 2);
  if (!year || !month || !day) return false;
  return std::chrono::year_month_day(std::chrono::year(*year),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

std::optional<int> parse_whole(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && is_digit(text[1])) text.remove_prefix(1);
  int number = 0;
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-';
  });
}

bool is_json_pointer(std::string_view text) {
  if (text.empty()) return true;
  if (text[0] != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')))
      return false;
  return true;
}

}  // namespace telltale::subject
