// The per-call table: how long one call through each door takes, compared within one run.
//
// All doors are called in turn, so that whatever the machine does meanwhile falls on all of them
// alike. The first round is thrown away. Three samples are taken; each figure is the median of the
// three with the range that they span, and doors whose ranges of p50 overlap are not ranked against
// each other: they are within noise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "evidence/row.hpp"
#include "subject/driver.hpp"
#include "subject/interruption.hpp"

namespace telltale::sweep {

inline constexpr int kSamples = 3;

using Nanoseconds = std::vector<std::int64_t>;

// The calls of one door in one phase; one list a sample.
struct DoorCalls {
  std::string door;
  std::string phase;  // empty: the plain start
  std::vector<Nanoseconds> samples;
};

struct Spread {
  double median = 0;  // of the samples, nanoseconds
  double low = 0;
  double high = 0;
  [[nodiscard]] bool overlaps(const Spread& other) const {
    return low <= other.high && other.low <= high;
  }
};

struct DoorFigures {
  std::string door;
  std::string phase;
  std::size_t calls = 0;  // over all samples
  Spread min, p50, p95;
  double ratio = 1;  // of p50 to the first door measured in the same phase
  std::string rank;  // "1", "2", ... by p50; "within noise" where its range overlaps another's
};

// The q-quantile (0 to 1) by nearest rank; 0 of an empty list.
[[nodiscard]] double quantile(Nanoseconds values, double q);

// One figure a door, in the order given. Ratios are to the first door of the same phase.
[[nodiscard]] std::vector<DoorFigures> figures_of(const std::vector<DoorCalls>& calls);

// `calls` per door and sample, round-robin, after one round that is thrown away. Fails when a door
// fails: a time of an error is no time of a call.
[[nodiscard]] Result<std::vector<DoorCalls>> measure_doors(
    subject::Driver& driver, int calls, const std::string& phase,
    const subject::Interruption& interruption);

[[nodiscard]] evidence::Table per_call_table(const std::vector<DoorFigures>& figures,
                                             const evidence::HostStamp& host);

}  // namespace telltale::sweep
