#include "sweep/exchange.hpp"

#include <fmt/core.h>

#include "sweep/text.hpp"

namespace telltale::sweep {

std::string_view name(Answer answer) {
  switch (answer) {
    case Answer::fetchable:
      return "fetchable";
    case Answer::absent:
      return "absent";
    case Answer::refused:
      return "refused";
    case Answer::unknown:
      return "unknown";
  }
  return "unknown";
}

Answer answer_of(const Response& response) {
  if (!response.failure.empty()) return Answer::unknown;
  switch (response.status) {
    case 200:
      return Answer::fetchable;
    case 404:
    case 410:
      return Answer::absent;
    case 401:
    case 403:
    case 407:
    case 429:
    case 451:
      return Answer::refused;
    default:
      return Answer::unknown;
  }
}

std::string describe(const Response& response) {
  if (!response.failure.empty())
    return response.status == 0 ? response.failure
                                : fmt::format("{}, {}", response.status, response.failure);
  const auto line = excerpt(response.body, 60);
  return line.empty() ? fmt::format("{}, without a body", response.status)
                      : fmt::format("{} \"{}\"", response.status, line);
}

}  // namespace telltale::sweep
