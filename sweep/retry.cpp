#include "sweep/retry.hpp"

namespace telltale::sweep {

std::optional<std::chrono::milliseconds> retry_after(const AttemptResult& result,
                                                     const FetchOptions& options) {
  const int status = result.response.status;
  const bool passing = result.timed_out || status == 429 || (status >= 500 && status <= 599);
  if (!passing || result.attempt >= options.attempts) return std::nullopt;
  if (result.response.retry_after && !result.timed_out) {
    const std::chrono::seconds asked(*result.response.retry_after);
    if (asked > options.longest_retry_after) return std::nullopt;
    if (asked.count() > 0) return asked;
  }
  auto wait = options.retry_wait;
  for (int i = 1; i < result.attempt; ++i) wait *= 4;
  return wait;
}

}  // namespace telltale::sweep
