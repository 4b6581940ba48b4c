#include "catcher/watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "catcher/attempt_building.hpp"
#include "catcher/companion_acts.hpp"
#include "catcher/companions.hpp"
#include "catcher/control_round.hpp"
#include "catcher/stopping_place.hpp"
#include "evidence/credentials.hpp"

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

Watch::Watch(Setting& setting, Scene::ProcessList descendants)
    : setting_(setting),
      scene_(std::move(descendants)),
      observers_(setting.observers(scene_)),
      proxy_variables_(setting.proxy_variables() == ProxyVariables::every) {}

Result<> Watch::start() {
  daemons_.look();
  for (const auto& observer : observers_)
    if (auto started = observer->start(setting_.enclosure()); !started) return started;
  return {};
}

void Watch::prove(const std::string& when, ControlCaller& caller) {
  const auto moment = scene_.moment();
  scene_.set(moment.launch, kControlPhase);
  {
    ControlRound round(caller);
    const auto takes_part = [this](const auto& observer) {
      return proxy_variables_ || observer->environment().empty();
    };
    for (const auto& observer : observers_)
      if (takes_part(observer)) observer->ask(round);
    setting_.ask(round);
    round.run();
    for (const auto& observer : observers_)
      if (takes_part(observer)) controls_.push_back(observer->control(when, round));
    for (auto& control : setting_.check(when, round)) controls_.push_back(std::move(control));
  }
  scene_.set(moment.launch, moment.phase);
}

Result<> Watch::stop() {
  daemons_.look();
  for (const auto& observer : observers_) observer->stop();
  if (controls_.empty()) return {};  // nothing was watched
  auto controls = setting_.after_stop();
  if (!controls) return pass_on(std::move(controls.error()));
  controls_.insert(controls_.end(), controls->begin(), controls->end());
  return {};
}

subject::Pairs Watch::environment() const {
  subject::Pairs all = setting_.environment();
  if (!proxy_variables_) return all;
  for (const auto& observer : observers_) {
    const auto own = observer->environment();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

// What the controls did: by the caller's process, or, for observers that know none, by where it
// went.
bool Watch::is_the_subjects(const Sighting& sighting) const {
  if (scene_.is_caller(sighting.pid) || setting_.stays_inside(sighting)) return false;
  if (sighting.phase != kControlPhase) return true;
  return !setting_.is_the_tools(sighting) && !scene_.is_control(sighting.host, sighting.port) &&
         !scene_.is_control(sighting.address, sighting.port);
}

bool Watch::reaches_itself(const Sighting& sighting) const {
  return sighting.phase != kControlPhase && !sighting.executable.empty() &&
         sighting.protocol != "dns" && !scene_.is_caller(sighting.pid) &&
         setting_.stays_inside(sighting);
}

// What the setting alone knows of it is added; what nobody is to read is masked.
void Watch::name(Sighting& sighting) const {
  if (auto name = sighting.address.empty() ? setting_.name_of(sighting.host) : std::nullopt)
    sighting.address = std::exchange(sighting.host, std::move(*name));
  if (setting_.leads_to_proxy(sighting)) sighting.through_proxy = true;
  if (sighting.kind == "unix socket" && daemons_.take_from(sighting.host))
    sighting.kind = "unix daemon";
  sighting.said = evidence::mask_credentials(sighting.said);
  sighting.target = evidence::mask_credentials(sighting.target);
}

void Watch::name_inside(Sighting& sighting) const {
  if (const auto* place = setting_.companion_at(sighting)) {
    sighting.kind = companion_party(place->name);
    sighting.host = place->host;
    return;
  }
  sighting.kind = "its own address";
  sighting.port = 0;
}

// The witness knows whose process it was from its start; what others saw of that process is its
// too.
void Watch::name_party(Sighting& sighting, const Parties& witnessed) const {
  if (sighting.pid == 0) return;
  const auto known = witnessed.find(sighting.pid);
  sighting.party = known != witnessed.end() ? known->second : scene_.party_of(sighting.pid);
  if (!sighting.party.empty()) sighting.executable = sighting.party + ": " + sighting.executable;
}

Watch::Sorted Watch::sort() const {
  Sorted sorted;
  Parties witnessed;
  for (const auto& observer : observers_) {
    auto seen = observer->sightings();
    // With room for as many of each: what is not touched costs nothing, what is moved is there
    // twice.
    if (sorted.outward.capacity() < sorted.outward.size() + seen.size())
      sorted.outward.reserve((sorted.outward.size() + seen.size()) * observers_.size());
    for (auto& sighting : seen) {
      if (!sighting.party.empty()) witnessed.emplace(sighting.pid, sighting.party);
      if (is_the_subjects(sighting)) {
        name(sighting);
        sorted.outward.push_back(std::move(sighting));
      } else if (reaches_itself(sighting)) {
        name_inside(sighting);
        sorted.to_itself.push_back(std::move(sighting));
      }
    }
  }
  for (auto* of_one_kind : {&sorted.outward, &sorted.to_itself})
    for (auto& sighting : *of_one_kind) name_party(sighting, witnessed);
  return sorted;
}

std::vector<SentHit> Watch::sent_hits() const {
  const auto* sent = sent_values();
  if (sent == nullptr) return {};
  const auto of_the_tools = [this](const SentHit& hit) {
    Sighting sighting;
    sighting.host = hit.host;
    sighting.port = hit.port;
    return hit.port == 53 || setting_.leads_to_proxy(sighting);
  };
  return merge_hits(
      sent->hits(), [this](const auto& address) { return setting_.name_of(address); },
      of_the_tools);
}

std::string Watch::stopped_at(int launch) const {
  const auto where = stopping_place(sightings(), launch);
  return where.empty() ? where : fmt::format("stopped at {}, unanswered", where);
}

bool Watch::asks_for_companion(const Attempt& attempt) const {
  Sighting question;
  question.protocol = attempt.protocol;
  question.host = attempt.host;
  return attempt.protocol == "dns" && setting_.companion_at(question) != nullptr;
}

// That it was reached is a remark; that it never was, a row of its own.
void Watch::add_companion_rows(const std::vector<Sighting>& remarks,
                               evidence::LaneRecord& record) const {
  for (const auto& place : setting_.companions())
    if (std::none_of(remarks.begin(), remarks.end(), [&](const auto& remark) {
          return remark.kind == companion_party(place.name);
        }))
      record.rows.emplace_back(companion_party(place.name), "never asked for", "",
                               fmt::format("nothing connected to {}:{}", place.host, place.port));
}

bool Watch::has_proxy() const {
  return std::any_of(observers_.begin(), observers_.end(),
                     [](const auto& observer) { return observer->name() == "proxy"; });
}

std::size_t Watch::seen_in_launch(int launch) const {
  const auto all = sightings();
  const CompanionActs companions(all);
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const auto& sighting) {
    return sighting.launch == launch && !is_means(sighting.kind) && !leads_nowhere(sighting) &&
           !companions.has(sighting) && setting_.companion_at(sighting) == nullptr;
  }));
}

std::vector<subject::ListeningSocket> Watch::listeners(int launch) const {
  std::vector<subject::ListeningSocket> all;
  std::set<std::uint16_t> reached;
  for (const auto& observer : observers_) {
    auto own = observer->listeners(launch);
    std::move(own.begin(), own.end(), std::back_inserter(all));
    reached.merge(observer->reached_itself(launch));
    for (const auto& sighting : observer->sightings())
      if (sighting.launch == launch && sighting.protocol == "tcp" && reaches_itself(sighting) &&
          setting_.companion_at(sighting) == nullptr)
        reached.insert(sighting.port);
  }
  std::erase_if(all, [&](const auto& socket) {
    return (!socket.udp && reached.count(socket.port) != 0) || !scene_.party_of(socket.pid).empty();
  });
  return all;
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
  for (auto& limit : setting_.limits()) record.limits.push_back(std::move(limit));
  const auto rows = setting_.rows();
  record.rows.insert(record.rows.end(), rows.begin(), rows.end());
  Reading reading;
  auto seen = sort();
  std::copy_if(seen.outward.begin(), seen.outward.end(), std::back_inserter(reading.requests),
               [](const auto& sighting) { return !sighting.method.empty(); });
  daemons_.tell_of_messages(seen.outward, grounds.unexamined);
  auto merged = merge(std::move(seen.outward));
  if (has_proxy()) {
    grounds.required_controls.emplace_back("proxy, agrees with the sampler");
    grounds.controls.push_back(agreement(merged.unrecorded_by_proxy));
  }
  std::move(seen.to_itself.begin(), seen.to_itself.end(), std::back_inserter(merged.remarks));
  std::copy_if(merged.remarks.begin(), merged.remarks.end(), std::back_inserter(reading.remarks),
               [&](const auto& remark) { return deliberate_launches.count(remark.launch) == 0; });
  add_companion_rows(reading.remarks, record);
  for (auto& attempt : merged.attempts) {
    if (asks_for_companion(attempt)) continue;
    const bool deliberate = std::includes(deliberate_launches.begin(), deliberate_launches.end(),
                                          attempt.launches.begin(), attempt.launches.end());
    (deliberate ? reading.deliberate : reading.attempts).push_back(std::move(attempt));
  }
  return reading;
}

}  // namespace telltale::catcher
