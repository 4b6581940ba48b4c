#include "catcher/moment_log.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace telltale::catcher {

struct MomentLog::Past {
  std::mutex mutex;
  std::vector<std::pair<Time, Moment>> ended;  // in time's order
};

MomentLog::MomentLog(Scene& scene) : scene_(scene), past_(std::make_shared<Past>()) {
  scene.on_leave([past = past_](const Moment& leaving) {
    const std::lock_guard lock(past->mutex);
    past->ended.emplace_back(std::chrono::system_clock::now(), leaving);
  });
}

Moment MomentLog::at(Time time) const {
  const std::lock_guard lock(past_->mutex);
  const auto later = std::lower_bound(past_->ended.begin(), past_->ended.end(), time,
                                      [](const auto& end, Time when) { return end.first < when; });
  return later == past_->ended.end() ? scene_.moment() : later->second;
}

}  // namespace telltale::catcher
