// A line for each new destination, as soon as it has been seen, for somebody at a terminal.
//
// A thread of its own looks at what the observers have until now; the more that is, the more rarely
// it looks, so that it costs at most a twentieth of the time. What it tells is no evidence: the
// report is made after the run, from everything that was seen.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "catcher/watch.hpp"

namespace telltale::catcher {

class LiveDestinations {
 public:
  // Called on the thread of this object: "seen after 0.4 s: example.com:443 (tcp), by
  // /usr/bin/curl".
  using Tell = std::function<void(const std::string& line)>;

  // The watch has started, and outlives it. An empty `tell`: nobody looks, nothing is done.
  LiveDestinations(const Watch& watch, Tell tell);
  // Looks once more, then ends.
  ~LiveDestinations();
  LiveDestinations(const LiveDestinations&) = delete;
  LiveDestinations& operator=(const LiveDestinations&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  void look_until_the_end();
  void look();

  const Watch& watch_;
  Tell tell_;
  const Clock::time_point began_ = Clock::now();
  std::set<std::string> told_;  // destinations
  std::mutex mutex_;
  std::condition_variable end_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace telltale::catcher
