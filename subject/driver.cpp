#include "subject/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace telltale::subject {

namespace {

Error named(const Step& step, Error error) {
  error.what = step.name + ": " + error.what;
  return error;
}

struct OpenDoor {
  Step step;
  std::unique_ptr<Door> door;
  std::size_t tally = 0;  // index in the report
  Expectation expect;     // expanded
  bool stale = true;      // variables changed since it was prepared
  Peer checked;           // it was the subject that answered there
};

// Asked once a place, not once a call: it reads /proc.
Result<> check_peer(OpenDoor& open, const Launch& launch) {
  auto peer = open.door->peer();
  if (!peer.known() || peer == open.checked) return {};
  auto answered = launch.answered(peer);
  if (answered) open.checked = std::move(peer);
  return answered;
}

Result<> prepare(OpenDoor& open, const Variables& variables) {
  if (!open.stale) return {};
  auto prepared = open.door->prepare(variables);
  if (!prepared) return prepared;
  auto expect = expand(open.step.expect, variables);
  if (!expect) return pass_on(std::move(expect.error()));
  open.expect = std::move(*expect);
  open.stale = false;
  return {};
}

bool is_html(const Answer& answer) {
  const bool good = answer.status >= 200 && answer.status <= 299;
  return good && (answer.content_type.starts_with("text/html") ||
                  answer.content_type.starts_with("application/xhtml"));
}

// What came is kept whether it is as expected or not.
void learn(DoorTally& tally, const Answer& answer) {
  tally.html = tally.html || is_html(answer);
  if (!answer.browser.empty()) tally.browser = answer.browser;
  for (const auto& request : answer.requests) {
    const bool known = std::any_of(tally.requests.begin(), tally.requests.end(),
                                   [&](const auto& one) { return one.url == request.url; });
    if (!known && tally.requests.size() < kPageRequests) tally.requests.push_back(request);
  }
}

Milliseconds limit_of(const Step& step) {
  return std::holds_alternative<PageCall>(step.call) ? kStepLimit : kCallLimit;
}

}  // namespace

DoorContext context_of(const Launch& launch, Enclosure& enclosure) {
  return {enclosure, launch.environment(), launch.folder(), launch.user(), launch.interrupt_fd()};
}

std::uint64_t DriveReport::calls() const {
  return std::accumulate(doors.begin(), doors.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const DoorTally& one) { return sum + one.calls; });
}

std::uint64_t DriveReport::failed() const {
  return std::accumulate(doors.begin(), doors.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const DoorTally& one) { return sum + one.failed; });
}

struct Driver::State {
  Launch& launch;
  DriveReport report;
  std::vector<OpenDoor> once;
  std::vector<OpenDoor> rounds;

  explicit State(Launch& driven) : launch(driven) {}

  Result<> add(const Step& step, const DoorContext& context);
  Result<Answer> ask(OpenDoor& open);
  Result<> keep(const OpenDoor& open, const Answer& answer);
  Result<> count(const OpenDoor& open, const Error& error);
  Result<> ended(const OpenDoor& open, const Error& error);
};

Result<> Driver::State::add(const Step& step, const DoorContext& context) {
  auto door = open_door(step, context);
  if (!door) return pass_on(named(step, std::move(door.error())));
  OpenDoor open;
  open.step = step;
  open.door = std::move(*door);
  open.tally = report.doors.size();
  report.doors.push_back({step.name, 0, 0, {}, false, {}, {}});
  (step.once ? once : rounds).push_back(std::move(open));
  return {};
}

// A call that was made is counted, whatever came of it.
Result<Answer> Driver::State::ask(OpenDoor& open) {
  auto prepared = prepare(open, launch.variables());
  if (!prepared) return pass_on(std::move(prepared.error()));
  auto answer = open.door->call(limit_of(open.step));
  auto& tally = report.doors[open.tally];
  ++tally.calls;
  if (!answer) return answer;
  if (auto its = check_peer(open, launch); !its) return pass_on(std::move(its.error()));
  learn(tally, *answer);
  auto met = meets(open.step, open.expect, *answer);
  if (!met) return pass_on(std::move(met.error()));
  auto kept = keep(open, *answer);
  if (!kept) return pass_on(std::move(kept.error()));
  return answer;
}

Result<> Driver::State::keep(const OpenDoor& open, const Answer& answer) {
  if (open.step.capture.empty() && answer.cookies.empty()) return {};
  for (auto* doors : {&once, &rounds})
    for (auto& each : *doors) each.stale = true;
  return capture(open.step, answer, launch.variables());
}

// What the subject did wrong is counted and quoted; anything else ends the drive.
Result<> Driver::State::count(const OpenDoor& open, const Error& error) {
  if (error.fault != Fault::subject) return pass_on(named(open.step, error));
  auto& tally = report.doors[open.tally];
  ++tally.failed;
  if (tally.first_failure.empty()) tally.first_failure = error.what;
  return launch.running() ? Result<>() : ended(open, error);
}

Result<> Driver::State::ended(const OpenDoor& open, const Error& error) {
  auto end = launch.ended_error();
  end.what = fmt::format("{} (while it was driven; {}: {})", end.what, open.step.name, error.what);
  return pass_on(std::move(end));
}

Driver::Driver() = default;
Driver::Driver(Driver&&) noexcept = default;
Driver& Driver::operator=(Driver&&) noexcept = default;
Driver::~Driver() = default;

Result<Driver> Driver::open(const Specification& specification, Launch& launch,
                            Enclosure& enclosure, const std::string& phase) {
  Driver driver;
  driver.state_ = std::make_unique<State>(launch);
  const auto context = context_of(launch, enclosure);
  for (const auto& step : specification.doors) {
    if (!step.phase.empty() && step.phase != phase) continue;
    auto added = driver.state_->add(step, context);
    if (!added) return pass_on(std::move(added.error()));
  }
  return driver;
}

Result<> Driver::enter() {
  for (auto& open : state_->once) {
    auto answer = state_->ask(open);
    if (answer) continue;
    auto counted = state_->count(open, answer.error());
    if (!counted) return counted;
    return pass_on(named(open.step, std::move(answer.error())));
  }
  return {};
}

Result<> Driver::rounds(int count, const Interruption& interruption) {
  for (int round = 0; round < count; ++round)
    for (auto& open : state_->rounds) {
      if (interruption.signal() != 0)
        return fail(Fault::interrupted, "interrupted while the subject was driven");
      const auto answer = state_->ask(open);
      if (answer) continue;
      auto counted = state_->count(open, answer.error());
      if (!counted) return counted;
    }
  return {};
}

const DriveReport& Driver::report() const {
  return state_->report;
}
std::size_t Driver::size() const {
  return state_->rounds.size();
}
const std::string& Driver::name(std::size_t index) const {
  return state_->rounds.at(index).step.name;
}

Result<std::int64_t> Driver::timed_call(std::size_t index) {
  auto& open = state_->rounds.at(index);
  const auto answer = state_->ask(open);
  if (answer) return answer->took.count();
  auto counted = state_->count(open, answer.error());
  return pass_on(counted ? named(open.step, answer.error()) : std::move(counted.error()));
}

std::vector<pid_t> Driver::helpers() const {
  std::vector<pid_t> all;
  for (const auto* doors : {&state_->once, &state_->rounds})
    for (const auto& open : *doors)
      if (const pid_t pid = open.door->helper(); pid != 0) all.push_back(pid);
  return all;
}

Result<Answer> run_step(const Step& step, Launch& launch, Enclosure& enclosure) {
  const auto named_error = [&step](Error error) { return pass_on(named(step, std::move(error))); };
  auto door = open_door(step, context_of(launch, enclosure));
  if (!door) return named_error(std::move(door.error()));
  OpenDoor open;
  open.step = step;
  open.door = std::move(*door);
  auto prepared = prepare(open, launch.variables());
  if (!prepared) return named_error(std::move(prepared.error()));
  auto answer = open.door->call(kStepLimit);
  if (!answer) return named_error(std::move(answer.error()));
  if (auto its = check_peer(open, launch); !its) return named_error(std::move(its.error()));
  auto met = meets(step, open.expect, *answer);
  if (!met) return named_error(std::move(met.error()));
  auto kept = capture(step, *answer, launch.variables());
  if (!kept) return named_error(std::move(kept.error()));
  return answer;
}

}  // namespace telltale::subject
