#include "catcher/sent/sent_values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "catcher/control_round.hpp"
#include "catcher/nonce.hpp"
#include "catcher/serving.hpp"

namespace telltale::catcher {

namespace {

constexpr std::chrono::seconds kSearchPatience{2};

bool read_by_another(const SentHit& hit, const std::vector<SentHit>& all) {
  return std::any_of(all.begin(), all.end(), [&](const auto& other) {
    return other.value == hit.value && other.observers != std::set<std::string>{"tap"};
  });
}

void take_in(SentHit& hit, const SentHit& other) {
  hit.forms.insert(other.forms.begin(), other.forms.end());
  hit.observers.insert(other.observers.begin(), other.observers.end());
  hit.executables.insert(other.executables.begin(), other.executables.end());
  hit.launches.insert(other.launches.begin(), other.launches.end());
  hit.first = std::min(hit.first, other.first);
  hit.last = std::max(hit.last, other.last);
}

}  // namespace

std::vector<SentHit> merge_hits(
    std::vector<SentHit> hits,
    const std::function<std::optional<std::string>(const std::string&)>& name_of,
    const std::function<bool(const SentHit&)>& is_the_tools) {
  std::vector<SentHit> merged;
  for (const auto& found : hits) {
    if (found.observers == std::set<std::string>{"tap"} && is_the_tools(found) &&
        read_by_another(found, hits))
      continue;
    auto hit = found;
    hit.host = name_of(hit.host).value_or(hit.host);
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const auto& other) {
      return other.value == hit.value && other.host == hit.host && other.port == hit.port;
    });
    if (same == merged.end())
      merged.push_back(std::move(hit));
    else
      take_in(*same, hit);
  }
  return merged;
}

SentValues::SentValues(Scene& scene, MakeSentSearch make, bool connections)
    : scene_(scene), make_(std::move(make)), connections_(connections) {}

// The control's value has the first place, whether there is one or not: a search that another
// thread still uses then gives every other value the number that it has here.
void SentValues::search_anew() {
  search_ = nullptr;
  if (values_.empty() && control_.empty()) return;
  std::vector<SentValue> values = {{"control", control_.empty() ? make_nonce() : control_}};
  values.insert(values.end(), values_.begin(), values_.end());
  search_ = make_(values);
}

void SentValues::look_for(const std::vector<SentValue>& values) {
  const std::lock_guard lock(mutex_);
  values_.insert(values_.end(), values.begin(), values.end());
  search_anew();
}

void SentValues::feed(SentStream& stream, std::string_view bytes, const SentPlace& place) {
  std::shared_ptr<const SentSearch> search;
  {
    const std::lock_guard lock(mutex_);
    search = search_;
    bytes_ += bytes.size();
  }
  if (search == nullptr) return;
  stream.tail.append(bytes);
  for (const auto& match : search->find(stream.tail)) note(match, place);
  if (stream.tail.size() >= search->longest())
    stream.tail.erase(0, stream.tail.size() - search->longest() + 1);
}

void SentValues::note(const SentMatch& match, const SentPlace& place) {
  const std::lock_guard lock(mutex_);
  if (match.value == 0) {
    control_seen_by_.insert(place.observer);
    found_.notify_all();
    return;
  }
  const auto& value = values_.at(match.value - 1);
  const auto at = evidence::now();
  auto& hit = hits_[{value.name, place.host, place.port, place.protocol}];
  if (hit.value.empty())
    hit = {value.name, place.host, place.protocol, place.port, {}, {}, {}, {}, at, at};
  hit.forms.insert(match.form);
  hit.observers.insert(place.observer);
  hit.launches.insert(scene_.moment().launch);
  if (!place.executable.empty()) hit.executables.insert(place.executable);
  hit.last = at;
}

std::vector<SentHit> SentValues::hits() const {
  const std::lock_guard lock(mutex_);
  std::vector<SentHit> all;
  for (const auto& [key, hit] : hits_) all.push_back(hit);
  return all;
}

std::vector<std::string> SentValues::left_out() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  if (search_ == nullptr) return names;
  for (const auto index : search_->left_out())
    if (index > 0 && index <= values_.size()) names.push_back(values_[index - 1].name);
  return names;
}

Result<> SentValues::start(subject::Enclosure&) {
  started_ = evidence::now();
  return {};
}

std::string_view SentValues::expected() const {
  return "a value that a caller sends by TCP and UDP and asks for as a name is found by the search";
}

void SentValues::ask(ControlRound& round) {
  const auto value = make_nonce();
  const auto probe = probes_of({}, scene_).front();
  const auto port = std::to_string(probe.port);
  const auto resolver = nonce_address(false);
  scene_.add_control(resolver, 53);
  acts_ = {round.add({"say", "udp", probe.address, port, value}),
           round.add({"ask", "udp", resolver, "53", value + ".example", "A"})};
  if (connections_) acts_.push_back(round.add({"say", "tcp", probe.address, port, value}));
  const std::lock_guard lock(mutex_);
  control_ = value;
  control_seen_by_.clear();
  search_anew();
}

Proof SentValues::check(const ControlRound& round) {
  std::set<std::string> feeders = {"datagrams", "resolver", "tap"};
  if (connections_) feeders.insert("answerer");
  Proof proof{fmt::format("found, in what each of {} observers read", feeders.size())};
  for (const auto act : acts_)
    if (const auto& said = round.said(act); !said.done) proof.wrong.push_back(said.text);
  std::unique_lock lock(mutex_);
  const auto missing = [&] {
    std::vector<std::string> names;
    std::set_difference(feeders.begin(), feeders.end(), control_seen_by_.begin(),
                        control_seen_by_.end(), std::back_inserter(names));
    return names;
  };
  if (proof.wrong.empty())
    found_.wait_for(lock, kSearchPatience, [&] { return missing().empty(); });
  for (const auto& name : missing()) proof.wrong.push_back("not found in what " + name + " read");
  control_.clear();
  search_anew();
  return proof;
}

void SentValues::stop() {
  if (started_ && !ended_) ended_ = evidence::now();
}

evidence::ObserverRecord SentValues::record() const {
  evidence::ObserverRecord record;
  record.name = "sent values";
  record.role = evidence::Role::proof;
  record.sees = "canaries, key and secrets, raw, in hex and base64, in all that others read";
  record.misses = "what is encrypted, compressed, encoded twice or cut apart";
  record.started = started_;
  record.ended = ended_;
  return record;
}

std::vector<evidence::Row> SentValues::rows(const evidence::HostStamp&) const {
  const std::lock_guard lock(mutex_);
  return {{"values looked for in what was sent", static_cast<std::int64_t>(values_.size()), "",
           "canaries, key and secrets"},
          {"searched of what was sent", static_cast<std::int64_t>(bytes_), "B",
           "packets and what they carry both count; controls too"}};
}

}  // namespace telltale::catcher
