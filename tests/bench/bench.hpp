// What the benchmarks share: medians, and one line a figure with its bound.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "evidence/host_stamp.hpp"

namespace telltale::bench {

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

inline void print_host() {
  const auto host = evidence::read_host();
  fmt::print("host: {}, {} cores, {}, Linux {}, load {:.2f}{}\n", host.cpu, host.cores, host.os,
             host.kernel, host.load_start, host.busy() ? " (BUSY HOST: suspect)" : "");
}

// Prints the figure and whether it is within its bound; returns that.
inline bool judge(const std::string& what, double value, double bound, const std::string& basis) {
  const bool held = value <= bound;
  fmt::print("{}: {:.3f}, bound {:.3f}: {} ({})\n", what, value, bound, held ? "held" : "NOT HELD",
             basis);
  return held;
}

// The same for a figure that must not be smaller.
inline bool judge_least(const std::string& what, double value, double bound,
                        const std::string& basis) {
  const bool held = value >= bound;
  fmt::print("{}: {:.3f}, at least {:.3f}: {} ({})\n", what, value, bound,
             held ? "held" : "NOT HELD", basis);
  return held;
}

}  // namespace telltale::bench
