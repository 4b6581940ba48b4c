// An observer of the egress lane: one file, one registration (plain_setting.cpp,
// sealed_setting.cpp).
//
// start() before the first launch, a control before and after each, stop() after the last. For a
// control a caller does what the observer must see (ask), and the observer then looks into its own
// record (check): what counts is that the sighting arrived, not that the observer says it is
// attached. One caller serves all of them (control_round.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catcher/scene.hpp"
#include "catcher/sighting.hpp"
#include "evidence/control.hpp"
#include "evidence/host_stamp.hpp"
#include "evidence/observer.hpp"
#include "evidence/result.hpp"
#include "evidence/row.hpp"
#include "subject/enclosure.hpp"
#include "subject/listening.hpp"

namespace telltale::catcher {

class ControlCaller;
class ControlRound;

// What came of a control.
struct Proof {
  std::string seen;                  // when it held: "recorded"
  std::vector<std::string> wrong{};  // what was missed, each in words; none: it held
};

class Observer {
 public:
  virtual ~Observer() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;

  // Fault::instrument: "the proxy never started: ...".
  [[nodiscard]] virtual Result<> start(subject::Enclosure& enclosure) = 0;
  virtual void stop() = 0;

  // --- the control

  // What the caller does and what must come of it: "a caller's packets are counted".
  [[nodiscard]] virtual std::string_view expected() const = 0;
  // Adds to the round what the caller is to do, with a fresh nonce.
  virtual void ask(ControlRound& round) = 0;
  // After ask() and the round, which may have failed. Waits for what is on its way, 2 s at most.
  [[nodiscard]] virtual Proof check(const ControlRound& round) = 0;

  // `when` is part of the control's name: "launch 1, before".
  [[nodiscard]] evidence::Control control(const std::string& when, const ControlRound& round);
  // A round for this observer alone.
  [[nodiscard]] evidence::Control prove(const std::string& when, ControlCaller& caller);

  // --- what it saw

  // All that was seen until now; what a control caller did may be among it, and is left out later.
  [[nodiscard]] virtual std::vector<Sighting> sightings() const = 0;
  [[nodiscard]] virtual evidence::ObserverRecord record() const = 0;
  [[nodiscard]] virtual std::vector<evidence::Row> rows(const evidence::HostStamp& host) const = 0;

  // Sockets on which processes of the subject were seen to listen in this launch, from its start
  // on; those of ended processes too.
  [[nodiscard]] virtual std::vector<subject::ListeningSocket> listeners(int /*launch*/) const {
    return {};
  }

  // TCP ports of its own to which the subject itself connected in this launch.
  [[nodiscard]] virtual std::set<std::uint16_t> reached_itself(int /*launch*/) const { return {}; }

  // Given to the subject and to every control caller.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> environment() const {
    return {};
  }
};

}  // namespace telltale::catcher
