// Calls the doors of a running subject in turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/finding.hpp"
#include "evidence/result.hpp"
#include "subject/doors/door.hpp"
#include "subject/launch.hpp"

namespace telltale::subject {

struct DoorTally {
  std::string door;
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;
  std::string first_failure;  // what came instead of what was expected
};

struct DriveReport {
  std::vector<DoorTally> doors;
  [[nodiscard]] std::uint64_t calls() const;
  [[nodiscard]] std::uint64_t failed() const;
};

class Driver {
 public:
  // Opens the doors of `phase` (those without a phase belong to every one) in file order.
  [[nodiscard]] static Result<Driver> open(const Specification& specification, Launch& launch,
                                           Enclosure& enclosure, const std::string& phase = {});
  Driver(Driver&&) noexcept;
  ~Driver();

  // `once` doors, in order; a failure ends the drive (a login that fails makes the rest meaningless).
  [[nodiscard]] Result<> enter();
  // Each round calls every door once; a door that does not meet its expectation is counted and
  // quote, and the round goes on. Ends early on interruption (Fault::interrupted) or when the
  // subject died (Fault::subject).
  [[nodiscard]] Result<> rounds(int count, const Interruption& interruption);
  [[nodiscard]] const DriveReport& report() const;

  // One timed call each way, for the per-call table: nanoseconds.
  struct Timed { std::string door; std::int64_t nanoseconds = 0; };
  [[nodiscard]] std::size_t size() const;                  // doors in the rounds
  [[nodiscard]] const std::string& name(std::size_t index) const;
  [[nodiscard]] Result<std::int64_t> timed_call(std::size_t index);

 private:
  Driver();
  struct State;
  std::unique_ptr<State> state_;
};

// Runs one step (a write, a read, a set-up step) once: opens its door, calls, checks, captures.
[[nodiscard]] Result<Answer> run_step(const Step& step, Launch& launch, Enclosure& enclosure);

// Listeners that no door of the file and no readiness check asks, as "listener:PORT".
[[nodiscard]] std::vector<evidence::Unexamined> undriven_listeners(
    const Specification& specification, Launch& launch);

}  // namespace telltale::subject
