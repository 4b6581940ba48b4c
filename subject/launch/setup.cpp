#include "subject/launch/setup.hpp"

#include "subject/launch/words.hpp"

namespace telltale::subject {

namespace {

constexpr std::size_t kQuoted = 200;  // bytes of an answer that meets() quotes by itself

Result<Answer> call_step(const Step& step, const DoorContext& context, const Variables& variables) {
  auto door = open_door(step, context);
  if (!door) return pass_on(std::move(door.error()));
  if (auto prepared = (*door)->prepare(variables); !prepared)
    return pass_on(std::move(prepared.error()));
  return (*door)->call(kSetupLimit);
}

Result<> run_step(const Step& step, const DoorContext& context, Variables& variables,
                  Output& output) {
  const auto answer = call_step(step, context, variables);
  if (!answer) return pass_on(answer.error());
  output.append(answer->body);
  output.append(answer->error);
  const auto expected = expand(step.expect, variables);
  if (!expected) return pass_on(expected.error());
  if (auto met = meets(step, *expected, *answer); !met) {
    const std::string all = answer->body + answer->error;
    if (all.size() > kQuoted)
      met.error().what += "; " + last_printed(last_lines(all, kQuotedLines));
    return met;
  }
  return capture(step, *answer, variables);
}

}  // namespace

Result<> run_setup(const std::vector<Step>& steps, const DoorContext& context, Variables& variables,
                   Output& output) {
  for (const auto& step : steps) {
    auto done = run_step(step, context, variables, output);
    if (done) continue;
    done.error().what = "set-up step " + step.name + ": " + done.error().what;
    return done;
  }
  return {};
}

}  // namespace telltale::subject
