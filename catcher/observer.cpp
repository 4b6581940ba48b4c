#include "catcher/observer.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "catcher/control_round.hpp"

namespace telltale::catcher {

evidence::Control Observer::control(const std::string& when, const ControlRound& round) {
  const auto proof = check(round);
  const bool held = proof.wrong.empty();
  return {fmt::format("{}, {}", name(), when),
          std::string(name()),
          evidence::Polarity::positive,
          std::string(expected()),
          held ? proof.seen : fmt::format("{}", fmt::join(proof.wrong, "; ")),
          held};
}

evidence::Control Observer::prove(const std::string& when, ControlCaller& caller) {
  ControlRound round(caller);
  ask(round);
  round.run();
  return control(when, round);
}

}  // namespace telltale::catcher
