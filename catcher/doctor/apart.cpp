#include "catcher/doctor/apart.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "subject/file_descriptor.hpp"
#include "subject/process.hpp"

namespace telltale::catcher {

namespace {

constexpr unsigned kLimitSeconds = 10;
constexpr std::size_t kTextLimit = 8 * 1024;

// "+WORD", or "-WHAT\0FIX".
std::string written_down(const Result<std::string>& result) {
  if (result) return "+" + *result;
  return "-" + result.error().what + '\0' + result.error().fix;
}

Result<std::string> read_back(const std::string& text) {
  if (text.front() == '+') return text.substr(1);
  const auto end = text.find('\0');
  return fail(Fault::instrument, text.substr(1, end - 1),
              end == std::string::npos ? "" : text.substr(end + 1));
}

[[noreturn]] void try_it(const Trial& attempt, int said) {
  std::signal(SIGALRM, SIG_DFL);
  alarm(kLimitSeconds);
  const auto text = written_down(attempt()).substr(0, kTextLimit);
  [[maybe_unused]] const ssize_t written = write(said, text.data(), text.size());
  _exit(0);
}

std::string read_to_the_end(int from) {
  std::string text;
  char part[1024];
  for (ssize_t size = 0;;) {
    size = read(from, part, sizeof part);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part, static_cast<std::size_t>(size));
  }
}

}  // namespace

Result<std::string> try_apart(const Trial& attempt) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return fail(Fault::instrument, fmt::format("no pipe: {}", std::strerror(errno)));
  const subject::FileDescriptor told(ends[0]);
  subject::FileDescriptor saying(ends[1]);
  const pid_t process = fork();
  if (process == 0) try_it(attempt, saying.get());
  saying.reset();
  if (process < 0)
    return fail(Fault::instrument, fmt::format("no process: {}", std::strerror(errno)),
                "raise the limit of processes (ulimit -u)");
  const auto text = read_to_the_end(told.get());
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!text.empty()) return read_back(text);
  return fail(Fault::instrument,
              fmt::format("the process that tried it ended: {}", subject::exit_of(status).text()),
              "if it was SIGSYS, a seccomp filter of whoever started this ends such a process");
}

}  // namespace telltale::catcher
