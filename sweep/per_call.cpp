#include "sweep/per_call.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "evidence/host_stamp.hpp"

namespace telltale::sweep {

namespace {

Spread spread_of(const std::vector<Nanoseconds>& samples, double q) {
  std::vector<double> values;
  for (const auto& sample : samples) values.push_back(quantile(sample, q));
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

void rank(std::vector<DoorFigures>& figures) {
  for (auto& one : figures) {
    std::size_t faster = 0;
    bool noise = false;
    for (const auto& other : figures) {
      if (&other == &one || other.phase != one.phase) continue;
      noise = noise || one.p50.overlaps(other.p50);
      if (other.p50.median < one.p50.median) ++faster;
    }
    one.rank = noise ? "within noise" : fmt::format("{}", faster + 1);
  }
}

// "120 (118-131)" in microseconds.
std::string microseconds(const Spread& spread) {
  return fmt::format("{:.0f} ({:.0f}-{:.0f})", spread.median / 1000, spread.low / 1000,
                     spread.high / 1000);
}

Result<> one_round(subject::Driver& driver, std::vector<DoorCalls>* into) {
  for (std::size_t door = 0; door < driver.size(); ++door) {
    auto taken = driver.timed_call(door);
    if (!taken) return pass_on(std::move(taken.error()));
    if (into != nullptr) (*into)[door].samples.back().push_back(*taken);
  }
  return {};
}

}  // namespace

double quantile(Nanoseconds values, double q) {
  if (values.empty()) return 0;
  const auto count = static_cast<double>(values.size());
  const auto rank = std::clamp(std::ceil(q * count), 1.0, count);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::nth_element(values.begin(), nth, values.end());
  return static_cast<double>(*nth);
}

std::vector<DoorFigures> figures_of(const std::vector<DoorCalls>& calls) {
  std::vector<DoorFigures> figures;
  std::map<std::string, double> first;  // p50 of the first door of each phase
  for (const auto& door : calls) {
    DoorFigures one{door.door,
                    door.phase,
                    0,
                    spread_of(door.samples, 0),
                    spread_of(door.samples, 0.5),
                    spread_of(door.samples, 0.95),
                    1,
                    ""};
    for (const auto& sample : door.samples) one.calls += sample.size();
    const double base = first.try_emplace(door.phase, one.p50.median).first->second;
    one.ratio = base > 0 ? one.p50.median / base : 1;
    figures.push_back(std::move(one));
  }
  rank(figures);
  return figures;
}

Result<std::vector<DoorCalls>> measure_doors(subject::Driver& driver, int calls,
                                             const std::string& phase,
                                             const subject::Interruption& interruption) {
  std::vector<DoorCalls> all;
  for (std::size_t door = 0; door < driver.size(); ++door)
    all.push_back({driver.name(door), phase, {}});
  if (auto thrown_away = one_round(driver, nullptr); !thrown_away)
    return pass_on(std::move(thrown_away.error()));
  for (int sample = 0; sample < kSamples; ++sample) {
    for (auto& door : all) door.samples.emplace_back().reserve(static_cast<std::size_t>(calls));
    for (int round = 0; round < calls; ++round) {
      if (interruption.signal() != 0)
        return fail(Fault::interrupted, "stopped by a signal while the doors were measured");
      if (auto done = one_round(driver, &all); !done) return pass_on(std::move(done.error()));
    }
  }
  return all;
}

evidence::Table per_call_table(const std::vector<DoorFigures>& figures,
                               const evidence::HostStamp& host) {
  auto table = evidence::Table::timing(
      "one call through each door, microseconds",
      {"door", "n", "min", "p50", "p95", "ratio", "rank"}, host,
      fmt::format(
          "doors in turn, first round thrown away, {} samples: the median of the samples and "
          "their range; ratio of p50 to the first door of the phase",
          kSamples));
  for (const auto& one : figures)
    table.add({one.phase.empty() ? one.door : fmt::format("{} [{}]", one.door, one.phase),
               static_cast<std::int64_t>(one.calls), microseconds(one.min), microseconds(one.p50),
               microseconds(one.p95), fmt::format("{:.2f}", one.ratio), one.rank});
  return table;
}

}  // namespace telltale::sweep
