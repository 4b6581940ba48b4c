#include "catcher/egress.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "catcher/egress_record.hpp"
#include "catcher/live_destinations.hpp"
#include "catcher/tls/reading_launch.hpp"
#include "catcher/watch.hpp"
#include "subject/descendants.hpp"
#include "subject/driver.hpp"
#include "subject/launch.hpp"
#include "subject/page_doors.hpp"

namespace telltale::catcher {

namespace {

using Clock = std::chrono::steady_clock;

// One run of the lane, from the first observer to the record.
class EgressLane {
 public:
  EgressLane(const subject::Specification& specification, subject::LaneContext& context,
             Setting& setting)
      : specification_(seals(setting) ? specification : subject::without_page_doors(specification)),
        settings_(*specification.egress),
        context_(context),
        setting_(setting),
        record_(begin_egress_record()),
        watch_(setting, [] { return subject::descendants_of_this_process(); }),
        pages_(subject::page_doors(specification), seals(setting)) {}

  evidence::LaneResult run() {
    auto ran = watch_and_launch();
    if (auto stopped = watch_.stop(); ran && !stopped) ran = stopped;
    if (!ran) context_.note(ran.error(), record_);
    record_.bounds = bounds();
    auto kept = finish_egress_record(watch_, pages_, deliberate_, context_, record_);
    if (!kept) context_.note(kept.error(), record_);
    return context_.conclude(std::move(record_));
  }

 private:
  Result<> watch_and_launch() {
    auto caller = install_caller(context_.scratch);
    if (!caller) return pass_on(std::move(caller.error()));
    caller_ = std::move(*caller);
    if (auto started = watch_.start(); !started) return started;
    if (auto launched = launches(); !launched) return launched;
    if (settings_.control) return upstream_control(last_launch() + 1);
    return {};
  }

  Result<> launches() {
    const LiveDestinations live(watch_, context_.tell);
    int number = 0;
    while (number < settings_.launches)
      if (auto done = one_launch({++number, {}, nullptr, {}}); !done) return done;
    for (const auto& [phase, difference] : specification_.phases)
      if (auto done = one_launch({++number, " (phase " + phase + ")", &difference, phase}); !done)
        return done;
    if (settings_.read_tls) return read_tls(++number);
    return {};
  }

  // One more launch, told apart: another authority changes a program.
  Result<> read_tls(int number) {
    const auto name = fmt::format("launch {} (TLS read)", number);
    if (auto begun = begin_reading_tls(setting_, name, specification_.env, trust_, record_); !begun)
      return begun;
    auto done = one_launch({number, " (TLS read)", nullptr, {}});
    trust_.clear();
    auto ended = setting_.read_tls(false);
    return done ? ended : done;
  }

  int last_launch() const {
    return settings_.launches + static_cast<int>(specification_.phases.size()) +
           (settings_.read_tls ? 1 : 0);
  }

  // One start of the subject, from the first control to the last.
  struct Start {
    int number;                             // from 1
    std::string note;                       // " (phase socket)"
    const subject::Difference* difference;  // nullptr: none
    std::string phase;                      // whose doors are asked; empty: those of every phase
  };

  Result<std::unique_ptr<subject::Launch>> prepare(int number, const std::string& name,
                                                   const subject::Difference* difference) {
    watch_.scene().set(number, "set-up");
    subject::LaunchOptions options;
    options.name = name;
    options.difference = difference;
    options.extra_environment = watch_.environment();
    options.extra_environment.insert(options.extra_environment.end(), trust_.begin(), trust_.end());
    options.home = home();
    options.binary = context_.binary;
    auto log = context_.log_for("egress", options.name);
    if (!log) return pass_on(std::move(log.error()));
    options.log = std::move(*log);
    auto launch =
        subject::Launch::prepare(specification_, watch_.enclosure(), context_.interruption,
                                 context_.scratch, std::move(options));
    if (!launch) return launch;
    if (auto learned = context_.learn(**launch); !learned)
      return pass_on(std::move(learned.error()));
    return launch;
  }

  // Launches share one HOME: the first start is special in many programs.
  std::filesystem::path home() const { return context_.scratch / "egress-home"; }

  ControlCaller caller_for(const subject::Launch& launch) {
    return ControlCaller(watch_.enclosure(), watch_.scene(), caller_, launch.environment(),
                         specification_.user);
  }

  Result<> one_launch(const Start& start) {
    const int number = start.number;
    const auto name = fmt::format("launch {}{}", number, start.note);
    auto prepared = prepare(number, name, start.difference);
    if (!prepared) return pass_on(std::move(prepared.error()));
    auto& launch = **prepared;
    auto caller = caller_for(launch);
    watch_.prove(name + ", before", caller);
    if (auto learned = learn_browser(launch); !learned) return learned;
    auto driven = start_and_drive(start, launch);
    watch_.scene().set(number, "stop");
    add_stop_rows(launch.stop(), number, record_);
    if (!driven) return driven;
    if (auto learned = learn_browser(launch); !learned) return learned;
    watch_.prove(name + ", after", caller);
    return {};
  }

  // Before anything of the subject runs, and after it where that left something open.
  Result<> learn_browser(subject::Launch& launch) {
    if (subject::page_doors(specification_).empty()) return {};
    const bool first = !std::exchange(knows_browser_, true);
    if (!first && !pages_.puzzled_by(merge(watch_.sightings()).attempts)) return {};
    return pages_.learn_browser(subject::context_of(launch, watch_.enclosure()), watch_.scene());
  }

  Result<> start_and_drive(const Start& start, subject::Launch& launch) {
    const int number = start.number;
    watch_.scene().set(number, "start");
    if (auto started = launch.start(); !started) return started;
    const auto ready = Clock::now();
    record_.rows.push_back(evidence::Row::timing(fmt::format("launch {}: start to ready", number),
                                                 launch.boot_ms(), "ms", context_.host));
    watch_.scene().set(number, "drive");
    auto driven = drive(start, launch);
    if (!driven) return driven;
    watch_.scene().set(number, "idle");
    if (auto idle = idle_until(ready + settings_.window, launch); !idle) return idle;
    add_unexamined(subject::undriven_listeners(specification_, launch, listeners(number)), record_);
    return {};
  }

  // A browser that opened a page is no part of the subject.
  std::vector<subject::ListeningSocket> listeners(int number) const {
    auto all = watch_.listeners(number);
    std::erase_if(all, [this](const auto& one) { return pages_.is_browser(one.executable); });
    return all;
  }

  Result<> drive(const Start& start, subject::Launch& launch) {
    auto driver = subject::Driver::open(specification_, launch, watch_.enclosure(), start.phase);
    if (!driver) return pass_on(std::move(driver.error()));
    auto done = driver->enter();
    if (done) done = driver->rounds(settings_.rounds, context_.interruption);
    add_drive_rows(driver->report(), start.number, record_);
    pages_.heard(driver->report());
    return done;
  }

  Result<> idle_until(Clock::time_point end, subject::Launch& launch) {
    while (Clock::now() < end) {
      if (context_.interruption.wait_ms(20))
        return fail(Fault::interrupted, "stopped by a signal while the subject was idle");
      if (!launch.running()) return pass_on(launch.ended_error());
    }
    return {};
  }

  // The same binary with its upstream on: what the observers say of it shows that they can see it.
  Result<> upstream_control(int number) {
    deliberate_.insert(number);
    evidence::Control control{"upstream control",
                              "",
                              evidence::Polarity::positive,
                              "the same program with its upstream switched on is seen",
                              "",
                              false};
    auto prepared = prepare(number, "upstream control", &*settings_.control);
    auto started = prepared ? (*prepared)->start() : Result<>(pass_on(prepared.error()));
    if (started) started = drive_until_seen(number, **prepared);
    if (prepared) (*prepared)->stop();
    const auto seen = watch_.seen_in_launch(number);
    control.held = seen > 0;
    control.observed = control.held ? fmt::format("seen {} times", seen)
                       : !started   ? "it did not run: " + started.error().what
                                    : "not seen: nothing shows that this program can be seen";
    record_.grounds.required_controls.push_back(control.name);
    record_.grounds.controls.push_back(std::move(control));
    if (!started && started.error().fault == Fault::interrupted) return started;
    return {};
  }

  Result<> drive_until_seen(int number, subject::Launch& launch) {
    watch_.scene().set(number, "drive");
    auto driver = subject::Driver::open(specification_, launch, watch_.enclosure());
    if (!driver) return pass_on(std::move(driver.error()));
    const auto end = Clock::now() + settings_.window;
    auto done = driver->enter();
    while (done && watch_.seen_in_launch(number) == 0 && Clock::now() < end) {
      done = driver->rounds(1, context_.interruption);
      if (context_.interruption.wait_ms(20)) break;
    }
    return done;
  }

  std::string bounds() const {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::duration<double>>(settings_.window).count();
    const auto phases = specification_.phases.size();
    return fmt::format("{:g} s, {} launch{}{}{}, {} enclosure, this configuration", seconds,
                       settings_.launches, settings_.launches == 1 ? "" : "es",
                       phases == 0 ? "" : fmt::format(" and {} of a phase", phases),
                       settings_.read_tls ? " and 1" + std::string(kReadingTls) : "",
                       watch_.enclosure().name());
  }

  static bool seals(Setting& setting) { return !setting.enclosure().assurance().reduced; }

  const subject::Specification specification_;
  const subject::EgressSettings& settings_;
  subject::LaneContext& context_;
  Setting& setting_;
  evidence::LaneRecord record_;
  Watch watch_;
  Pages pages_;
  bool knows_browser_ = false;
  std::filesystem::path caller_;
  std::set<int> deliberate_;
  subject::Pairs trust_;  // what the launch that reads TLS is given; empty in the others
};

}  // namespace

evidence::LaneResult run_egress(const subject::Specification& specification,
                                subject::LaneContext& context, Setting& setting) {
  return EgressLane(specification, context, setting).run();
}

}  // namespace telltale::catcher
