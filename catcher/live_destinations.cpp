#include "catcher/live_destinations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "catcher/pages.hpp"

namespace telltale::catcher {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{200};
constexpr int kShare = 20;  // of the time: one part in so many is spent on looking

}  // namespace

LiveDestinations::LiveDestinations(const Watch& watch, Tell tell)
    : watch_(watch), tell_(std::move(tell)) {
  if (tell_) thread_ = std::thread([this] { look_until_the_end(); });
}

LiveDestinations::~LiveDestinations() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  end_.notify_one();
  thread_.join();
}

void LiveDestinations::look_until_the_end() {
  Clock::duration rest = kBetweenLooks;
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, rest, [this] { return ending_; })) {
    lock.unlock();
    const auto began = Clock::now();
    look();
    rest = std::max<Clock::duration>(kBetweenLooks, (Clock::now() - began) * kShare);
    lock.lock();
  }
  lock.unlock();
  look();
}

void LiveDestinations::look() {
  const auto seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  // A control's act may stand there before it is known as one.
  auto sightings = watch_.sightings();
  std::erase_if(sightings, [](const auto& sighting) { return sighting.phase == kControlPhase; });
  for (const auto& attempt : merge(std::move(sightings)).attempts)
    if (!watch_.asks_for_companion(attempt) && attempt.phases.count(kBrowserPhase) == 0 &&
        told_.insert(attempt.protocol + ' ' + attempt.destination()).second)
      tell_(fmt::format("seen after {:.1f} s: {} ({}), by {}", seconds, attempt.destination(),
                        attempt.protocol, attempt.executable));
}

}  // namespace telltale::catcher
