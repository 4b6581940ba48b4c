#include "subject/readiness.hpp"

#include <poll.h>

#include <algorithm>
#include <array>

#include "subject/wire/deadline.hpp"

namespace telltale::subject {

namespace {

constexpr Milliseconds kFirstPause{1}, kLongestPause{50};
// A subject may accept a connection long before it answers: the first calls give up early, so that
// it is asked again; later ones wait longer, for a subject that is slow on every call.
constexpr Milliseconds kFirstCall{2'000};

// A request of the protocol that the subject can never answer well: asking again is of no use.
bool hopeless(const Error& error) {
  return error.fault != Fault::subject;
}

// The end of a daemon's first process is no news: its descriptor stays readable for ever.
void wait_for_news(const Probe& probe, const ReadinessContext& context, Milliseconds pause,
                   bool main_ended) {
  std::array<pollfd, 3> wait{pollfd{main_ended ? -1 : context.ended_fd, POLLIN, 0},
                             pollfd{context.interruption.fd(), POLLIN, 0},
                             pollfd{probe.fd(), POLLIN, 0}};
  poll(wait.data(), wait.size(), static_cast<int>(pause.count()));
}

bool readable(int fd) {
  pollfd wait{fd, POLLIN, 0};
  return fd >= 0 && poll(&wait, 1, 0) == 1;
}

}  // namespace

Result<ReadinessReport> wait_until_ready(const Readiness& readiness,
                                         const ReadinessContext& context) {
  auto probe = make_probe(readiness, context);
  if (!probe) return pass_on(std::move(probe.error()));
  ReadinessReport report;
  if (*probe == nullptr) return report;
  const Deadline deadline(readiness.timeout);
  Milliseconds pause = kFirstPause, call = kFirstCall;
  for (;;) {
    const Milliseconds left(deadline.left_ms());
    const auto ready = (*probe)->ask(std::max(std::min(call, left), Milliseconds(1)));
    const bool there = context.running();
    if (context.interruption.signal() != 0) return ReadinessReport{Waited::interrupted, {}};
    if (!there) return ReadinessReport{Waited::ended, report.last_answer};
    if (ready) return ReadinessReport{Waited::ready, {}};
    if (hopeless(ready.error())) return pass_on(ready.error());
    // A last call that had no time left says less than the one before it.
    if (report.last_answer.empty() || left > kLongestPause) report.last_answer = ready.error().what;
    if (deadline.left_ms() == 0) return ReadinessReport{Waited::too_late, report.last_answer};
    wait_for_news(**probe, context, std::min(pause, Milliseconds(deadline.left_ms())),
                  readable(context.ended_fd));
    pause = std::min(pause * 2, kLongestPause);
    call *= 2;
  }
}

}  // namespace telltale::subject
