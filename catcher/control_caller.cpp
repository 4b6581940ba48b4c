#include "catcher/control_caller.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace telltale::catcher {

namespace {

constexpr subject::Milliseconds kLimit{10'000};
constexpr std::size_t kOutputLimit = 64 * 1024;

// All of what the caller prints until it closes its end.
std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (text.size() < kOutputLimit) {
    pollfd waiting{fd, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(kLimit.count())) <= 0) break;
    const auto bytes = read(fd, buffer.data(), buffer.size());
    if (bytes <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(bytes));
  }
  return text;
}

}  // namespace

ControlCaller::ControlCaller(subject::Enclosure& enclosure, Scene& scene,
                             std::filesystem::path program, subject::Pairs environment,
                             std::string user)
    : enclosure_(enclosure),
      scene_(scene),
      program_(std::move(program)),
      environment_(std::move(environment)),
      user_(std::move(user)) {}

Result<ControlCaller::Started> ControlCaller::start(const subject::Argv& arguments,
                                                    subject::FileDescriptor input) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0)
    return fail(Fault::instrument,
                fmt::format("no pipe for the control caller: {}", std::strerror(errno)));
  Started started{nullptr, subject::FileDescriptor(ends[0])};
  subject::ProcessPlan plan;
  plan.argv = {program_.string()};
  plan.argv.insert(plan.argv.end(), arguments.begin(), arguments.end());
  plan.environment = environment_;
  plan.folder = "/";
  plan.user = user_;
  plan.identity = identity_;
  plan.tools_own = true;
  plan.input = std::move(input);
  plan.output = subject::FileDescriptor(ends[1]);
  auto process = enclosure_.start(std::move(plan));
  if (!process) return pass_on(std::move(process.error()));
  started.process = std::move(*process);
  scene_.add_caller(started.process->pid());
  return started;
}

Result<CallerReport> ControlCaller::run(const subject::Argv& arguments,
                                        subject::FileDescriptor input) {
  auto started = start(arguments, std::move(input));
  if (!started) return pass_on(std::move(started.error()));
  CallerReport report;
  report.output = read_all(started->output.get());
  const auto exit = started->process->wait(kLimit);
  if (!exit) return fail(Fault::instrument, "the control caller did not end within 10 s");
  report.exit = *exit;
  return report;
}

Result<std::filesystem::path> find_caller() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto folder = self.parent_path();
  for (const auto& candidate :
       {folder / "telltale-caller", folder.parent_path() / "libexec/telltale/telltale-caller"})
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  return fail(Fault::instrument,
              fmt::format("the control caller \"telltale-caller\" is not beside {}", self.string()),
              "install it with the tools: without it no observer can be proved");
}

}  // namespace telltale::catcher
