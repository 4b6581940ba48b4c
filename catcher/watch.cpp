#include "catcher/watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace telltale::catcher {

namespace {

// The sampler saw connections to the proxy; each must be in the proxy's own record.
evidence::Control agreement(const std::vector<Sighting>& unrecorded) {
  evidence::Control control{"proxy, agrees with the sampler",
                            "proxy",
                            evidence::Polarity::positive,
                            "every connection to the proxy that the sampler saw is in its record",
                            "",
                            unrecorded.empty()};
  control.observed =
      unrecorded.empty()
          ? "no connection without a record"
          : fmt::format("{} connections without a record, the first by {} in launch {}",
                        unrecorded.size(), unrecorded.front().executable,
                        unrecorded.front().launch);
  return control;
}

}  // namespace

Watch::Watch(subject::Enclosure& enclosure, Scene::ProcessList descendants)
    : enclosure_(enclosure), scene_(std::move(descendants)), observers_(plain_observers(scene_)) {}

Result<> Watch::start() {
  for (const auto& observer : observers_)
    if (auto started = observer->start(enclosure_); !started) return started;
  return {};
}

void Watch::prove(const std::string& when, ControlCaller& caller) {
  const auto moment = scene_.moment();
  scene_.set(moment.launch, "control");
  for (const auto& observer : observers_) controls_.push_back(observer->prove(when, caller));
  scene_.set(moment.launch, moment.phase);
}

void Watch::stop() {
  for (const auto& observer : observers_) observer->stop();
}

subject::Pairs Watch::environment() const {
  subject::Pairs all;
  for (const auto& observer : observers_) {
    const auto own = observer->environment();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::vector<Sighting> Watch::sightings() const {
  std::vector<Sighting> all;
  for (const auto& observer : observers_) {
    auto own = observer->sightings();
    std::copy_if(own.begin(), own.end(), std::back_inserter(all), [this](const Sighting& sighting) {
      return !scene_.is_caller(sighting.pid) &&
             !(sighting.phase == "control" && scene_.is_control(sighting.host, sighting.port));
    });
  }
  return all;
}

std::size_t Watch::seen_in_launch(int launch) const {
  const auto all = sightings();
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const auto& sighting) { return sighting.launch == launch; }));
}

Watch::Reading Watch::read_into(evidence::LaneRecord& record, const evidence::HostStamp& host,
                                const std::set<int>& deliberate_launches) const {
  auto& grounds = record.grounds;
  for (const auto& control : controls_) {
    grounds.required_controls.push_back(control.name);
    grounds.controls.push_back(control);
  }
  for (const auto& observer : observers_) {
    grounds.observers.push_back(observer->record());
    const auto rows = observer->rows(host);
    record.rows.insert(record.rows.end(), rows.begin(), rows.end());
  }
  auto merged = merge(sightings());
  grounds.required_controls.emplace_back("proxy, agrees with the sampler");
  grounds.controls.push_back(agreement(merged.unrecorded_by_proxy));
  Reading reading;
  for (auto& attempt : merged.attempts) {
    const bool deliberate = std::includes(deliberate_launches.begin(), deliberate_launches.end(),
                                          attempt.launches.begin(), attempt.launches.end());
    (deliberate ? reading.deliberate : reading.attempts).push_back(std::move(attempt));
  }
  return reading;
}

}  // namespace telltale::catcher
