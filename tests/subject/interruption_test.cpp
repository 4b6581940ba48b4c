#include "subject/interruption.hpp"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "support/catch.hpp"

using telltale::subject::Interruption;

namespace {

bool readable(int fd) {
  pollfd wait{fd, POLLIN, 0};
  return poll(&wait, 1, 0) == 1;
}

}  // namespace

TEST_CASE("nothing is interrupted without a signal") {
  const Interruption interruption;
  CHECK(interruption.signal() == 0);
  CHECK_FALSE(readable(interruption.fd()));
  CHECK_FALSE(interruption.wait_ms(1));
}

TEST_CASE("a signal stays seen by every reader") {
  const auto [sent, seen] = GENERATE(table<int, int>(
      {{SIGINT, SIGINT}, {SIGTERM, SIGTERM}, {SIGHUP, SIGTERM}, {SIGQUIT, SIGTERM}}));
  const auto before = std::signal(sent, SIG_DFL);
  {
    const Interruption interruption;
    kill(getpid(), sent);
    for (int again = 0; again < 3; ++again) {
      CHECK(readable(interruption.fd()));
      CHECK(interruption.signal() == seen);
      CHECK(interruption.wait_ms(60'000));
    }
  }
  // The destructor dropped it: with the old mask back this process would be dead by now.
  SUCCEED();
  std::signal(sent, before);
}

TEST_CASE("a wait ends when the signal comes", "[threads]") {
  const Interruption interruption;
  std::thread other([] { kill(getpid(), SIGTERM); });
  CHECK(interruption.wait_ms(60'000));
  other.join();
}

TEST_CASE("what the caller ignores stays ignored, but for SIGTERM") {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const Interruption interruption;
    kill(getpid(), SIGHUP);
    CHECK(interruption.signal() == 0);
  }
  std::signal(SIGHUP, before);
  const auto term = std::signal(SIGTERM, SIG_IGN);
  {
    const Interruption interruption;
    kill(getpid(), SIGTERM);
    CHECK(interruption.signal() == SIGTERM);
  }
  std::signal(SIGTERM, term);
}

TEST_CASE("the signal mask is put back") {
  sigset_t before, after;
  sigprocmask(SIG_BLOCK, nullptr, &before);
  { const Interruption interruption; }
  sigprocmask(SIG_BLOCK, nullptr, &after);
  CHECK(sigismember(&before, SIGINT) == sigismember(&after, SIGINT));
}
