#include "subject/build_subject.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "subject/enclosure.hpp"
#include "subject/environment.hpp"
#include "subject/launch/stopping.hpp"
#include "subject/launch/words.hpp"
#include "subject/output.hpp"
#include "subject/variables.hpp"
#include "subject/wire/deadline.hpp"

namespace telltale::subject {

namespace {

constexpr std::uint64_t kLogLimit = 64 * 1024 * 1024;  // bytes of build output kept
constexpr Stop kStop{15, Milliseconds(2'000)};

Result<ProcessPlan> plan_of(const Specification& specification, const Build& build,
                            Output& output) {
  Variables variables;
  variables.set("source", specification.source.string());
  auto command = variables.expand(build.command);
  if (!command) return pass_on(std::move(command.error()));
  auto writer = output.connect();
  if (!writer) return pass_on(std::move(writer.error()));
  ProcessPlan plan;
  plan.argv = std::move(*command);
  plan.environment = tool_environment();
  plan.folder = specification.source;
  plan.output = std::move(*writer);
  return plan;
}

// True when it ended by itself.
bool wait_for_end(const Process& process, const Interruption& interruption) {
  std::array<pollfd, 2> wait{pollfd{process.ended_fd(), POLLIN, 0},
                             pollfd{interruption.fd(), POLLIN, 0}};
  while (poll(wait.data(), wait.size(), -1) < 0) {
  }
  return wait[1].revents == 0;
}

Error build_failed(const Specification& specification, const Exit& exit, const Output& output,
                   const std::filesystem::path& log) {
  return {Fault::subject,
          fmt::format("the build of {} failed with {}; {}", specification.name, exit.text(),
                      last_printed(output.last(kQuotedLines))),
          fmt::format("run it by hand in {}; all that it printed is in {}",
                      specification.source.string(), log.string())};
}

}  // namespace

Result<BuildReport> build_subject(const Specification& specification, const Build& build,
                                  const std::filesystem::path& log,
                                  const Interruption& interruption) {
  auto output = Output::open(log, kLogLimit);
  if (!output) return pass_on(std::move(output.error()));
  auto plan = plan_of(specification, build, **output);
  if (!plan) return pass_on(std::move(plan.error()));
  const auto enclosure = make_plain_enclosure();
  const Deadline watch(Milliseconds(0));
  auto process = enclosure->start(std::move(*plan));
  if (!process) return pass_on(std::move(process.error()));
  ProcessTree tree((*process)->pid(), false);
  const bool ended = wait_for_end(**process, interruption);
  const std::chrono::duration<double> took = watch.elapsed();
  const Stopped stopped = stop_subject(**process, tree, kStop, false);
  (*output)->finish();
  if (!ended) return fail(Fault::interrupted, "the build was interrupted");
  if (!stopped.exit.clean())
    return pass_on(build_failed(specification, stopped.exit, **output, log));
  const auto made = (specification.source / build.output).lexically_normal();
  if (access(made.c_str(), X_OK) == 0) return BuildReport{made, took.count()};
  return fail(Fault::subject,
              fmt::format("the build of {} ended well and made no program {}", specification.name,
                          made.string()),
              "correct build.output, a path below the source folder");
}

}  // namespace telltale::subject
