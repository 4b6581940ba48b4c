// Whether an answer is worth another question, and when.
#pragma once

#include <chrono>
#include <optional>

#include "sweep/exchange.hpp"
#include "sweep/fetcher.hpp"

namespace telltale::sweep {

struct AttemptResult {
  const Response& response;
  bool timed_out = false;
  int attempt = 1;  // from 1
};

// How long to wait before the next attempt; nothing: the answer stands.
[[nodiscard]] std::optional<std::chrono::milliseconds> retry_after(const AttemptResult& result,
                                                                   const FetchOptions& options);

}  // namespace telltale::sweep
