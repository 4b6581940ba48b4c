// Calls the doors of a running subject in turn.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
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
  bool html = false;          // an answer of an HTTP door was a page
  // Of a page door: the browser's executable, and what the page asked for, each URL once, at most
  // kPageRequests of them.
  std::string browser;
  std::vector<PageRequest> requests;
};

inline constexpr std::size_t kPageRequests = 1000;

struct DriveReport {
  std::vector<DoorTally> doors;
  [[nodiscard]] std::uint64_t calls() const;
  [[nodiscard]] std::uint64_t failed() const;
};

// The longest that one call of a door in the rounds, and one step by itself, may take. A step has
// more: a client command may have a backup to make. So has a page: a browser is to be started.
inline constexpr Milliseconds kCallLimit{10'000};
inline constexpr Milliseconds kStepLimit{60'000};

// What the doors of a launch need.
[[nodiscard]] DoorContext context_of(const Launch& launch, Enclosure& enclosure);

class Driver {
 public:
  // Opens the doors of `phase` (those without a phase belong to every one) in file order. Nothing
  // is asked yet. A call in progress ends when the run is interrupted (Launch::interrupt_fd).
  [[nodiscard]] static Result<Driver> open(const Specification& specification, Launch& launch,
                                           Enclosure& enclosure, const std::string& phase = {});
  Driver(Driver&&) noexcept;
  Driver& operator=(Driver&&) noexcept;
  ~Driver();

  // `once` doors, in order; a failure ends the drive (a login that fails makes the rest
  // meaningless).
  [[nodiscard]] Result<> enter();
  // Each round calls every door once; a door that does not meet its expectation is counted and
  // quoted, and the round goes on. Ends early on interruption (Fault::interrupted), when the
  // subject died (Fault::subject), or when a door cannot be called as it is written (Fault::input).
  [[nodiscard]] Result<> rounds(int count, const Interruption& interruption);
  // Every door, `once` ones too, in file order.
  [[nodiscard]] const DriveReport& report() const;

  // One call for the per-call table, in nanoseconds: Answer::took of door.hpp, that is the exchange
  // itself. The request was rendered before; the answer is judged after, and one that does not meet
  // its expectation is an error. Counted in report() as well.
  [[nodiscard]] std::size_t size() const;  // doors in the rounds
  [[nodiscard]] const std::string& name(std::size_t index) const;
  [[nodiscard]] Result<std::int64_t> timed_call(std::size_t index);

  // Programs that doors run at this moment (commands, MCP over stdio). They are children of the
  // tool, not of the subject; an observer that watches the subject's tree watches these too. Any
  // thread may ask.
  [[nodiscard]] std::vector<pid_t> helpers() const;

 private:
  Driver();
  struct State;
  std::unique_ptr<State> state_;
};

// Runs one step (a write, a read) once: opens its door, calls, checks, captures. Errors name it.
[[nodiscard]] Result<Answer> run_step(const Step& step, Launch& launch, Enclosure& enclosure);

// Listeners of the subject's tree that no door of the file, whatever its phase, and no readiness
// check asks: "listener:9000", "listener:/run/notes.sock". A port that is only listed under
// `ports:` was not asked. Ports are compared as numbers, whatever the address; doors ask TCP, so a
// UDP socket is never asked. What a command door talks to is not known. `seen`: sockets that an
// observer saw besides, which may be closed by now.
[[nodiscard]] std::vector<evidence::Unexamined> undriven_listeners(
    const Specification& specification, Launch& launch,
    const std::vector<ListeningSocket>& seen = {});

}  // namespace telltale::subject
