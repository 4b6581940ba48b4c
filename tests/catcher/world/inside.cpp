#include "inside.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "support/catch.hpp"
#include "support/requirement.hpp"

namespace telltale::test {

namespace {

constexpr subject::Milliseconds kMinute{60'000};

constexpr auto kPrelude = R"(
import errno, os, socket, sys, time
def try_(act):
    try:
        print("ok", act(), flush=True)
    except OSError as error:
        print(errno.errorcode.get(error.errno, error), flush=True)
)";

subject::ProcessPlan plan_for(subject::Argv argv) {
  subject::ProcessPlan plan;
  plan.argv = std::move(argv);
  plan.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}, {"LC_ALL", "C"}};
  plan.folder = "/";
  return plan;
}

struct Made {
  std::unique_ptr<catcher::SealedEnclosure> enclosure;
  std::string reason;
};

Made& made() {
  static Made once = [] {
    Made now;
    auto enclosure = catcher::make_sealed_enclosure({});
    if (enclosure)
      now.enclosure = std::move(*enclosure);
    else
      now.reason = enclosure.error().text();
    return now;
  }();
  return once;
}

}  // namespace

catcher::SealedEnclosure* sealed() {
  return made().enclosure.get();
}

bool have_world() {
  return require(sealed() != nullptr, "a sealed world; " + made().reason);
}

Inside run_inside(subject::Argv argv, const std::function<void(subject::ProcessPlan&)>& change) {
  const subject::FileDescriptor output(memfd_create("output", MFD_CLOEXEC));
  auto plan = plan_for(std::move(argv));
  plan.output = subject::FileDescriptor(fcntl(output.get(), F_DUPFD_CLOEXEC, 3));
  if (change) change(plan);
  auto process = sealed()->start(std::move(plan));
  if (!process) return {{255, 0, false}, process.error().text()};
  const auto exit = (*process)->wait(kMinute);
  std::string text(1 << 20, '\0');
  const ssize_t size = pread(output.get(), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return {exit.value_or(subject::Exit{254, 0, false}), text};
}

Inside python_inside(const std::string& program,
                     const std::function<void(subject::ProcessPlan&)>& change) {
  return run_inside({"python3", "-c", kPrelude + program}, change);
}

std::unique_ptr<subject::Process> start_python(const std::string& program,
                                               subject::FileDescriptor& output) {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  output = subject::FileDescriptor(ends[0]);
  auto plan = plan_for({"python3", "-c", kPrelude + program});
  plan.output = subject::FileDescriptor(ends[1]);
  auto process = sealed()->start(std::move(plan));
  REQUIRE(process);
  return std::move(*process);
}

std::string read_line(int fd) {
  std::string line;
  for (char byte = 0; byte != '\n'; line += byte) {
    pollfd waiting{fd, POLLIN, 0};
    if (poll(&waiting, 1, 5000) <= 0 || read(fd, &byte, 1) != 1) return line;
  }
  return line;
}

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kMinute;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

std::string caller_program() {
  const char* copy = std::getenv("TELLTALE_TEST_CALLER");
  return copy != nullptr ? copy : TELLTALE_CALLER;
}

}  // namespace telltale::test
