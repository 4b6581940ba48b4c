// The command door: one program a call, in the subject's environment, folder and user.
//
// The call ends when the program does, not when its output is closed: a child that it left behind
// may hold the pipe open for ever. What is left of its process group is killed then. At the
// deadline the whole group is. Its standard input is a file in memory (empty without `stdin`), so
// there is nothing to feed it with and no broken pipe.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "subject/doors/group.hpp"
#include "subject/doors/makers.hpp"
#include "subject/doors/pipe_reader.hpp"
#include "subject/quote.hpp"
#include "subject/wire/deadline.hpp"

namespace telltale::subject {

namespace {

constexpr std::size_t kErrorsLimit = 64 * 1024;  // bytes kept of stderr
constexpr int kSignalled = 128;                  // status of a killed program, as a shell gives it

Result<FileDescriptor> memory_file(const std::string& text) {
  FileDescriptor file(memfd_create("telltale-stdin", MFD_CLOEXEC));
  std::string_view rest = text;
  while (file.valid() && !rest.empty()) {
    const auto count = write(file.get(), rest.data(), rest.size());
    if (count < 0 && errno != EINTR) file.reset();
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
  if (!file.valid() || lseek(file.get(), 0, SEEK_SET) != 0)
    return fail(Fault::instrument,
                std::string("no memory for a command's input: ") + strerror(errno));
  return file;
}

struct Running {
  std::unique_ptr<Process> process;
  PipeReader output;
  PipeReader errors;
};

// Reads both streams until the program has ended.
Wait watch(Running& running, const Deadline& deadline) {
  for (;;) {
    std::array<pollfd, 3> all{pollfd{running.output.fd(), POLLIN, 0},
                              pollfd{running.errors.fd(), POLLIN, 0},
                              pollfd{running.process->ended_fd(), POLLIN, 0}};
    const Wait wait = wait_for(all, deadline);
    if (wait != Wait::ready) return wait;
    if (all[0].revents != 0) running.output.take();
    if (all[1].revents != 0) running.errors.take();
    if (all[2].revents != 0) return Wait::ready;
    if (deadline.left_ms() == 0) return Wait::late;  // a flood is ready at each look
  }
}

class ExecDoor final : public Door {
 public:
  ExecDoor(ExecCall call, const DoorContext& context)
      : written_(std::move(call)), context_(context) {}

  Result<> prepare(const Variables& variables) override {
    auto command = variables.expand(written_.command);
    if (!command) return pass_on(std::move(command.error()));
    auto input = variables.expand(written_.stdin_text.value_or(""));
    if (!input) return pass_on(std::move(input.error()));
    command_ = std::move(*command);
    input_ = std::move(*input);
    return {};
  }

  Result<Answer> call(Milliseconds limit) override {
    const Deadline deadline(limit, context_.interrupt_fd);
    auto running = start();
    if (!running) return pass_on(std::move(running.error()));
    helper_ = running->process->pid();
    const Wait wait = watch(*running, deadline);
    const auto took = deadline.elapsed();
    const Exit exit = end_group(*running->process);
    helper_ = 0;
    running->output.take();
    running->errors.take();
    if (wait != Wait::ready) return pass_on(ended_early(wait, deadline, *running));
    return answer(exit, *running, took);
  }

  [[nodiscard]] pid_t helper() const override { return helper_; }

 private:
  [[nodiscard]] Result<Running> start() const;
  [[nodiscard]] Error ended_early(Wait wait, const Deadline& deadline, Running& running) const;
  [[nodiscard]] static Answer answer(const Exit& exit, Running& running,
                                     std::chrono::nanoseconds took);

  ExecCall written_;
  DoorContext context_;
  Argv command_;
  std::string input_;
  std::atomic<pid_t> helper_ = 0;
};

Result<Running> ExecDoor::start() const {
  ProcessPlan plan;
  plan.argv = command_;
  plan.environment = context_.environment;
  plan.folder = context_.folder;
  plan.user = context_.user;
  auto input = memory_file(input_);
  if (!input) return pass_on(std::move(input.error()));
  plan.input = std::move(*input);
  auto output = PipeReader::make(plan.output, kAnswerLimit);
  if (!output) return pass_on(std::move(output.error()));
  auto errors = PipeReader::make(plan.errors, kErrorsLimit);
  if (!errors) return pass_on(std::move(errors.error()));
  auto process = context_.enclosure.start(std::move(plan));
  if (!process) {
    // It is the step's own program that could not be started: the subject refused nothing.
    auto& error = process.error();
    if (error.fault == Fault::subject) error.fault = Fault::input;
    return pass_on(std::move(error));
  }
  return Running{std::move(*process), std::move(*output), std::move(*errors)};
}

Error ExecDoor::ended_early(Wait wait, const Deadline& deadline, Running& running) const {
  const auto& name = command_.front();
  if (wait == Wait::interrupted) return {Fault::interrupted, name + " was interrupted", {}};
  return {Fault::subject,
          fmt::format("{} did not end within {} ms and was killed; it had printed {}, and on "
                      "standard error {}",
                      name, deadline.limit().count(), quote(running.output.text()),
                      quote(running.errors.text())),
          {}};
}

Answer ExecDoor::answer(const Exit& exit, Running& running, std::chrono::nanoseconds took) {
  Answer answer;
  answer.status = exit.signal == 0 ? exit.status : kSignalled + exit.signal;
  answer.body = std::move(running.output.text());
  answer.error = std::move(running.errors.text());
  if (exit.signal != 0) answer.error += (answer.error.empty() ? "" : "; ") + exit.text();
  answer.cut = running.output.cut();
  answer.took = took;
  return answer;
}

}  // namespace

MadeDoor make_exec_door(const Step& step, const DoorContext& context) {
  return std::make_unique<ExecDoor>(std::get<ExecCall>(step.call), context);
}

}  // namespace telltale::subject
