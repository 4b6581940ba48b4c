// Waiting until a subject is ready: it answers over HTTP, accepts a connection, a command says so,
// or it says so itself (sd_notify). Never a line of its log.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "evidence/result.hpp"
#include "subject/doors/door.hpp"
#include "subject/interruption.hpp"
#include "subject/readiness/notify_socket.hpp"
#include "subject/specification.hpp"
#include "subject/variables.hpp"

namespace telltale::subject {

struct ReadinessContext {
  DoorContext door;
  const Variables& variables;
  const Interruption& interruption;
  NotifySocket* notify = nullptr;  // for Readiness::Kind::notify
  int ended_fd = -1;               // readable when the main process has ended
  std::function<bool()> running;   // the subject is still there
  // It was the subject that was connected to (answered_by.hpp); empty: nobody asks.
  std::function<Result<>(const Peer&)> answered_by{};

  [[nodiscard]] Result<> check(const Peer& peer) const {
    return answered_by && peer.known() ? answered_by(peer) : Result<>();
  }
};

// One way to ask. `ask` answers at once or within the limit: ready, or why not yet.
class Probe {
 public:
  virtual ~Probe() = default;
  [[nodiscard]] virtual Result<> ask(Milliseconds limit) = 0;
  // A descriptor that is worth asking for when it becomes readable; -1: only time tells.
  [[nodiscard]] virtual int fd() const { return -1; }
};

// Fault::input when the target cannot be asked at all. Null for Kind::none. `context` outlives it.
[[nodiscard]] Result<std::unique_ptr<Probe>> make_probe(const Readiness& readiness,
                                                        const ReadinessContext& context);

enum class Waited { ready, ended, too_late, interrupted };

struct ReadinessReport {
  Waited waited = Waited::ready;
  std::string last_answer;  // of a probe that was not ready
};

// Asks after 1, 2, 4, ... 50 ms. Ends at once when the subject has ended or the run is interrupted.
[[nodiscard]] Result<ReadinessReport> wait_until_ready(const Readiness& readiness,
                                                       const ReadinessContext& context);

}  // namespace telltale::subject
