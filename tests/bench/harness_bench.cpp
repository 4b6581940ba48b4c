// What the per-call harness adds to a bare loopback round trip, at p50.
#include "bench.hpp"
#include "subject/enclosure.hpp"
#include "sweep/harness_cost.hpp"

int main() {
  using namespace telltale;
  bench::print_host();
  const auto enclosure = subject::make_plain_enclosure();
  std::vector<double> added;
  for (int run = 0; run < 15; ++run) {
    const auto cost = sweep::measure_harness(*enclosure, 2'000);
    if (!cost) return 3;
    added.push_back(cost->added() / 1000);
  }
  return bench::judge("added to a bare loopback round trip at p50, microseconds",
                      bench::median(added), 15, "median of 15 runs of 2,000 calls, interleaved")
             ? 0
             : 1;
}
