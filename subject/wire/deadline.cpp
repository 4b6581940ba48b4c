#include "subject/wire/deadline.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

namespace telltale::subject {

namespace {

constexpr std::size_t kMost = 8;

// One poll(2) over the descriptors and the interruption, at most `milliseconds` long.
Wait poll_once(std::span<pollfd> descriptors, int milliseconds, const Deadline& deadline) {
  std::array<pollfd, kMost> all{};
  const auto count = std::min(descriptors.size(), kMost - 1);
  std::copy_n(descriptors.begin(), count, all.begin());
  all[count] = {deadline.interrupt_fd(), POLLIN, 0};  // poll(2) skips a negative descriptor
  const int ready = ::poll(all.data(), count + 1, milliseconds);
  if (ready < 0) return errno == EINTR ? Wait::late : Wait::ready;  // ready: the read says why
  if (all[count].revents != 0) return Wait::interrupted;
  std::copy_n(all.begin(), count, descriptors.begin());
  return ready > 0 ? Wait::ready : Wait::late;
}

}  // namespace

int Deadline::left_ms() const {
  const auto left = std::chrono::ceil<Milliseconds>(start_ + limit_ - Clock::now()).count();
  return static_cast<int>(std::clamp<Milliseconds::rep>(left, 0, 1'000'000'000));
}

Wait wait_for(std::span<pollfd> descriptors, const Deadline& deadline) {
  for (;;) {
    const int left = deadline.left_ms();
    const Wait seen = poll_once(descriptors, left, deadline);
    if (seen != Wait::late || left == 0) return seen;
  }
}

Wait wait_for(int descriptor, short events, const Deadline& deadline) {
  pollfd one{descriptor, events, 0};
  return wait_for(std::span(&one, 1), deadline);
}

Wait pause(Milliseconds time, const Deadline& deadline) {
  const int left = deadline.left_ms();
  if (left == 0) return Wait::late;
  const auto nap = static_cast<int>(std::min<Milliseconds::rep>(time.count(), left));
  return poll_once({}, nap, deadline) == Wait::interrupted ? Wait::interrupted : Wait::ready;
}

}  // namespace telltale::subject
