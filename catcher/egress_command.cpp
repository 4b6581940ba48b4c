#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "catcher/egress.hpp"
#include "catcher/egress_record.hpp"
#include "catcher/live_destinations.hpp"
#include "catcher/tls/reading_launch.hpp"
#include "catcher/watch.hpp"
#include "evidence/terminal.hpp"
#include "subject/descendants.hpp"
#include "subject/driver.hpp"
#include "subject/environment.hpp"
#include "subject/launch.hpp"

namespace telltale::catcher {

namespace {

using Clock = std::chrono::steady_clock;

subject::Specification specification_of(const CommandRun& run) {
  subject::Specification specification;
  specification.name = std::filesystem::path(run.command.front()).filename().string();
  specification.command = run.command;
  specification.user = run.user;
  specification.stop.grace = subject::Milliseconds(5'000);
  return specification;
}

// The caller lies there, and another root's user must be able to execute it.
void open_to_all(const std::filesystem::path& scratch) {
  std::error_code ignored;
  std::filesystem::permissions(scratch, std::filesystem::perms(0711), ignored);
}

// The caller runs on the machine's root: what another root's loader is told is not for it.
subject::Pairs for_caller(subject::Pairs variables) {
  std::erase_if(variables, [](const auto& variable) { return variable.first.starts_with("LD_"); });
  return variables;
}

class CommandLane {
 public:
  CommandLane(const CommandRun& run, subject::LaneContext& context, Setting& setting)
      : run_(run),
        context_(context),
        setting_(setting),
        specification_(specification_of(run)),
        record_(begin_egress_record()),
        watch_(setting, [] { return subject::descendants_of_this_process(); }) {
    record_.grounds.examined_unit = "commands run";
    record_.limits = run.limits;
    if (!run.environments.empty())
      record_.limits.push_back(
          {"its launches had the same files: what one left behind the next ones found"});
    if (!run.terminal && !evidence::is_terminal(STDOUT_FILENO))
      record_.limits.push_back(
          {"its output was no terminal: what it does only at a terminal, where a person would "
           "see it, was not seen (--tty gives it one)"});
  }

  evidence::LaneResult run() {
    auto ran = watch_and_run();
    if (auto stopped = watch_.stop(); ran && !stopped) ran = stopped;
    if (!ran) context_.note(ran.error(), record_);
    record_.bounds = bounds();
    auto kept = finish_egress_record(watch_, Pages{}, compared_, context_, record_);
    if (!kept) context_.note(kept.error(), record_);
    return context_.conclude(std::move(record_));
  }

 private:
  Result<> watch_and_run() {
    auto program = install_caller(context_.scratch);
    if (!program) return pass_on(std::move(program.error()));
    if (run_.place) open_to_all(context_.scratch);
    if (auto started = watch_.start(); !started) return started;
    subject::LaunchOptions options;
    options.foreground = true;
    options.terminal = run_.terminal;
    options.place = run_.place;
    options.extra_environment = watch_.environment();
    if (run_.read_tls)
      if (auto read = begin_reading_tls(setting_, "the launch", subject::tool_environment(),
                                        options.extra_environment, record_);
          !read)
        return read;
    auto launch = prepare(options);
    if (!launch) return pass_on(std::move(launch.error()));
    if (auto learned = context_.learn(**launch); !learned) return learned;
    ControlCaller caller(watch_.enclosure(), watch_.scene(), *program,
                         for_caller((*launch)->environment()), run_.user);
    if (run_.place) caller.become(run_.place->user);
    watch_.prove("before", caller);
    if (auto ran = run_and_tell(std::move(*launch), options); !ran) return ran;
    watch_.prove("after", caller);
    return {};
  }

  Result<> run_and_tell(std::unique_ptr<subject::Launch> launch,
                        const subject::LaunchOptions& options) {
    const LiveDestinations live(watch_, context_.tell);
    for (;;) {
      if (auto ran = run_command(*launch); !ran) return ran;
      if (!run_.environments.empty()) name_environment();
      if (launches_ >= static_cast<int>(run_.environments.size())) return {};
      launch.reset();  // before the next, whose processes would be taken for its
      auto next = prepare(options);
      if (!next) return pass_on(std::move(next.error()));
      launch = std::move(*next);
    }
  }

  // The next launch, in the environment whose turn it is.
  Result<std::unique_ptr<subject::Launch>> prepare(subject::LaunchOptions options) {
    if (!run_.environments.empty()) {
      const auto& environment = run_.environments[static_cast<std::size_t>(launches_)];
      options.name = fmt::format("launch {}", launches_ + 1);
      options.without = environment.without;
      options.extra_environment.insert(options.extra_environment.end(), environment.set.begin(),
                                       environment.set.end());
    }
    return subject::Launch::prepare(specification_, watch_.enclosure(), context_.interruption,
                                    context_.scratch, std::move(options));
  }

  // Of the launch that came to its end.
  void name_environment() {
    compared_.compared.plain.insert(launches_);
    compared_.environments[launches_] =
        run_.environments[static_cast<std::size_t>(launches_ - 1)].name;
  }

  Result<> run_command(subject::Launch& launch) {
    const int number = ++launches_;
    watch_.scene().set(number, run_.idle ? "idle" : "run");
    const auto began = Clock::now();
    if (auto started = launch.start(); !started) return started;
    wait(launch, began);
    seconds_ += std::chrono::duration<double>(Clock::now() - began).count();
    if (!launch.running() && !launch.tree().empty()) left_ = ", what it left running then stopped";
    add_unexamined(subject::undriven_listeners(specification_, launch, watch_.listeners(number)),
                   record_);
    watch_.scene().set(number, "stop");
    const auto report = launch.stop();
    add_stop_rows(report, number, record_);
    if (report.exited_by_itself && !report.exit.clean()) {
      ending_ = ", ending with " + report.exit.text();
      if (const auto where = watch_.stopped_at(number); !where.empty()) ending_ += ", " + where;
    }
    ++record_.grounds.examined;
    if (context_.interruption.signal() != 0) return fail(Fault::interrupted, "stopped by a signal");
    return {};
  }

  // Until the command and, unless that is stopped, all that it left running have ended, its time is
  // over, or a signal came.
  void wait(subject::Launch& launch, Clock::time_point began) {
    while (launch.running() || (!run_.until_exit && !launch.tree().empty())) {
      if (context_.interruption.wait_ms(10)) return;
      outstayed_ = run_.idle && Clock::now() >= began + *run_.idle;
      if (outstayed_) return;
    }
  }

  [[nodiscard]] std::string bounds() const {
    const bool several = launches_ > 1;
    return fmt::format(
        "{} {:.1f} s{}{}{}, {}{}{}, {} enclosure, this configuration",
        outstayed_ ? "idle for"
        : several  ? "its own runs of"
                   : "its own run of",
        seconds_, several ? " in all" : "", ending_, left_,
        several ? fmt::format("{} launches with and without opt-outs", launches_) : "1 launch",
        run_.terminal ? " at a terminal of its own" : "", run_.read_tls ? kReadingTls : "",
        watch_.enclosure().name());
  }

  const CommandRun& run_;
  subject::LaneContext& context_;
  Setting& setting_;
  subject::Specification specification_;
  evidence::LaneRecord record_;
  Watch watch_;
  ReadLaunches compared_;
  int launches_ = 0;        // begun
  double seconds_ = 0;      // of all of them
  bool outstayed_ = false;  // its time was over before it ended
  std::string left_;        // ", what it left running then stopped", or nothing
  std::string ending_;  // ", ending with exit status 1"; empty: it ended in order, or was stopped
};

}  // namespace

evidence::LaneResult run_egress_command(const CommandRun& run, subject::LaneContext& context,
                                        Setting& setting) {
  return CommandLane(run, context, setting).run();
}

}  // namespace telltale::catcher
