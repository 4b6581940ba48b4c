// Steps as a test writes them.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "subject/doors/door.hpp"
#include "support/catch.hpp"

namespace telltale::test {

inline constexpr subject::Milliseconds kLong{20'000};  // never reached when the code is right

[[nodiscard]] inline subject::Step step_of(subject::Call call) {
  subject::Step step;
  step.name = "door";
  step.call = std::move(call);
  return step;
}

[[nodiscard]] inline std::shared_ptr<const nlohmann::json> shared_json(nlohmann::json document) {
  return std::make_shared<const nlohmann::json>(std::move(document));
}

// Opens, prepares and calls a door once.
[[nodiscard]] inline Result<subject::Answer> ask(const subject::Step& step,
                                                 subject::Enclosure& enclosure,
                                                 const subject::Variables& variables,
                                                 subject::Milliseconds limit = kLong) {
  auto door = subject::open_door(step, {enclosure, {}, {}, {}});
  if (!door) return pass_on(door.error());
  auto prepared = (*door)->prepare(variables);
  if (!prepared) return pass_on(prepared.error());
  return (*door)->call(limit);
}

}  // namespace telltale::test
