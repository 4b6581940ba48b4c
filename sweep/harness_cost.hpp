// What measuring costs: the same timed call, pointed at a server that does nothing.
//
// Two figures of one run against one do-nothing server on loopback: a bare round trip (send the
// bytes of a request, receive the bytes of an answer, nothing else) and a call through an HTTP
// door. Their difference is what the harness adds to every figure of the per-call table.
#pragma once

#include "evidence/result.hpp"
#include "subject/enclosure.hpp"

namespace telltale::sweep {

struct HarnessCost {
  double bare_p50 = 0;  // nanoseconds
  double door_p50 = 0;  // nanoseconds
  int calls = 0;        // of each, interleaved
  [[nodiscard]] double added() const { return door_p50 - bare_p50; }
};

[[nodiscard]] Result<HarnessCost> measure_harness(subject::Enclosure& enclosure, int calls);

}  // namespace telltale::sweep
