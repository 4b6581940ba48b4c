#include "catcher/egress.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "catcher/companions.hpp"
#include "catcher/egress_record.hpp"
#include "catcher/launch_maker.hpp"
#include "catcher/launch_plan.hpp"
#include "catcher/live_destinations.hpp"
#include "catcher/sent/writes.hpp"
#include "catcher/tls/reading_launch.hpp"
#include "catcher/upstream_control.hpp"
#include "catcher/watch.hpp"
#include "subject/descendants.hpp"
#include "subject/driver.hpp"
#include "subject/launch.hpp"
#include "subject/page_doors.hpp"

namespace telltale::catcher {

namespace {

using Clock = std::chrono::steady_clock;

bool seals(Setting& setting) {
  return !setting.enclosure().assurance().reduced;
}

// One run of the lane, from the first observer to the record.
class EgressLane {
 public:
  EgressLane(const subject::Specification& specification, subject::LaneContext& context,
             Setting& setting)
      : specification_(seals(setting) ? specification : subject::without_page_doors(specification)),
        settings_(*specification_.egress),
        context_(context),
        setting_(setting),
        how_proxied_(setting.proxy_variables()),
        record_(begin_egress_record()),
        watch_(setting, [] { return subject::descendants_of_this_process(); }),
        maker_(specification_, context, watch_),
        pages_(subject::page_doors(specification), seals(setting)) {}

  evidence::LaneResult run() {
    auto ran = watch_and_launch();
    if (auto stopped = watch_.stop(); ran && !stopped) ran = stopped;
    if (!ran) context_.note(ran.error(), record_);
    record_.bounds = fmt::format(
        "{}, {} enclosure, this configuration{}{}", launches_in_words(specification_, how_proxied_),
        watch_.enclosure().name(), answered_in_words(setting_.answered_inside()), stopped_at_);
    auto kept = finish_egress_record(watch_, pages_, read_, context_, record_);
    if (!kept) context_.note(kept.error(), record_);
    return context_.conclude(std::move(record_));
  }

 private:
  Result<> watch_and_launch() {
    for (const auto& companion : settings_.companions)
      record_.limits.push_back(
          {fmt::format("what was sent to {}:{} went to the companion {}: it counts as no attempt, "
                       "and no value was looked for in it",
                       companion.host, companion.port, companion.name)});
    if (auto installed = maker_.install(); !installed) return installed;
    if (auto started = watch_.start(); !started) return started;
    const auto starts = starts_of(specification_, how_proxied_);
    if (auto launched = launch_all(starts); !launched) return launched;
    if (!settings_.control) return {};
    const int number = starts.back().number + 1;
    read_.deliberate.insert(number);
    watch_.give_proxy_variables(how_proxied_ == ProxyVariables::every);
    return UpstreamControl(specification_, context_, watch_, maker_).run(number, record_);
  }

  Result<> launch_all(const std::vector<Start>& starts) {
    const LiveDestinations live(watch_, context_.tell);
    for (const auto& start : starts)
      if (auto done = start.reads_tls ? read_tls(start) : one_launch(start); !done) return done;
    return {};
  }

  // Told apart: another authority changes a program.
  Result<> read_tls(const Start& start) {
    if (auto begun =
            begin_reading_tls(setting_, start.name(), specification_.env, maker_.trust(), record_);
        !begun)
      return begun;
    auto done = one_launch(start);
    maker_.trust().clear();
    auto ended = setting_.read_tls(false);
    return done ? ended : done;
  }

  Result<> one_launch(const Start& start) {
    const auto name = start.name();
    watch_.give_proxy_variables(start.proxy_variables);
    Companions companions;
    std::optional<ControlCaller> caller;
    auto done = maker_.start(companions, start.number, name);
    if (done) done = subject_launch(start, companions, caller);
    watch_.scene().set(start.number, "stop");
    companions.stop(name, record_);
    if (!done) return done;
    watch_.prove(name + ", after", *caller);
    note_completed(start);
    return {};
  }

  Result<> subject_launch(const Start& start, Companions& companions,
                          std::optional<ControlCaller>& caller) {
    auto prepared = maker_.prepare(start.number, start.name(), start.difference);
    if (!prepared) return pass_on(std::move(prepared.error()));
    auto& launch = **prepared;
    caller.emplace(maker_.caller_for(launch));
    watch_.prove(start.name() + ", before", *caller);
    if (auto learned = learn_browser(launch); !learned) return learned;
    auto driven = start_and_drive(start, launch);
    const auto served = companions.check();
    if (driven)
      add_unexamined(subject::undriven_listeners(specification_, launch, listeners(start.number)),
                     record_);
    watch_.scene().set(start.number, "stop");
    add_stop_rows(launch.stop(), start.number, record_);
    if (!served) return served;
    if (!driven) return say_where_it_stopped(start.number, std::move(driven.error()));
    return learn_browser(launch);
  }

  // A subject that ended, or was never ready, after a connection that nobody answered.
  Result<> say_where_it_stopped(int number, Error error) {
    if (error.fault != Fault::subject) return pass_on(std::move(error));
    const auto where = watch_.stopped_at(number);
    if (where.empty()) return pass_on(std::move(error));
    error.what = where + ": " + error.what;
    stopped_at_ = ", " + where;
    return pass_on(std::move(error));
  }

  // Launches of a phase and the one that reads TLS differ on purpose.
  void note_completed(const Start& start) {
    if (start.difference != nullptr || start.reads_tls) return;
    if (start.proxy_variables && how_proxied_ == ProxyVariables::one_more)
      read_.compared.with_proxy = start.number;
    else
      read_.compared.plain.insert(start.number);
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
    if (auto driven = drive(start, launch); !driven) return driven;
    watch_.scene().set(number, "idle");
    return idle_until(ready + settings_.window, launch);
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
    const bool writes = done && start.difference == nullptr && watch_.sent_values() != nullptr;
    return writes ? drive_writes(specification_, launch, watch_.enclosure(), start.number, record_)
                  : done;
  }

  Result<> idle_until(Clock::time_point end, subject::Launch& launch) {
    while (Clock::now() < end) {
      if (context_.interruption.wait_ms(20))
        return fail(Fault::interrupted, "stopped by a signal while the subject was idle");
      if (!launch.running()) return pass_on(launch.ended_error());
    }
    return {};
  }

  const subject::Specification specification_;
  const subject::EgressSettings& settings_;
  subject::LaneContext& context_;
  Setting& setting_;
  ProxyVariables how_proxied_;
  evidence::LaneRecord record_;
  Watch watch_;
  LaunchMaker maker_;
  Pages pages_;
  bool knows_browser_ = false;
  ReadLaunches read_;
  std::string stopped_at_;  // ", stopped at idp.example:443, unanswered", or nothing
};

}  // namespace

evidence::LaneResult run_egress(const subject::Specification& specification,
                                subject::LaneContext& context, Setting& setting) {
  return EgressLane(specification, context, setting).run();
}

}  // namespace telltale::catcher
