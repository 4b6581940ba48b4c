// The record that an observer leaves in the results. The interface of an egress observer is in
// catcher/observer.hpp; a search or a sweep leaves the same record of itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "evidence/instant.hpp"

namespace telltale::evidence {

enum class Role {
  proof,         // a verdict may rest on it
  corroboration  // it may miss; its miss rate is printed
};

struct ObserverRecord {
  std::string name;
  Role role = Role::proof;
  std::string sees;                 // one line: what it sees
  std::string misses;               // one line: what it cannot see
  std::optional<Instant> started;   // empty: it never started
  std::optional<Instant> ended;     // empty: it did not run to the end
  std::uint64_t lost = 0;           // records known to be lost; above 0 is not evidence
  std::optional<double> miss_rate;  // 0 to 1, measured in this run on stimuli of its own
  std::string miss_rate_basis;      // "41 of 200 connections of 5 ms"
  std::string failure;              // empty when it did not fail

  [[nodiscard]] bool ran_to_the_end() const { return started && ended && failure.empty(); }
};

}  // namespace telltale::evidence
