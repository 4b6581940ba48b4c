#include "catcher/sighting_log.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace telltale::catcher {

namespace {

constexpr std::chrono::seconds kLogPatience{2};

std::string likeness(const Sighting& sighting) {
  std::string all = std::to_string(sighting.launch) + ' ' + std::to_string(sighting.port);
  for (const auto* part :
       {&sighting.answered_by, &sighting.phase, &sighting.protocol, &sighting.host,
        &sighting.address, &sighting.kind, &sighting.executable, &sighting.said})
    (all += '\n') += *part;
  return all;
}

void count_with(Sighting& first, const Sighting& later) {
  first.count += later.count;
  first.bytes += later.bytes;
  first.packets += later.packets;
  first.payload += later.payload;
  first.at = std::min(first.at, later.at);
  first.last = std::max({first.last, later.at, later.last});
}

}  // namespace

bool SightingLog::is_expected(const Sighting& sighting) {
  for (const auto& word : expected_)
    for (const auto* text : {&sighting.host, &sighting.said, &sighting.server_name,
                             &sighting.first_bytes, &sighting.target})
      if (text->find(word) != std::string::npos) {
        seen_.insert(word);
        came_.notify_all();
        return true;
      }
  return false;
}

void SightingLog::add(Sighting sighting) {
  const std::lock_guard lock(mutex_);
  if (is_expected(sighting)) return;
  count_ += sighting.count;
  if (kept_.size() < kSeparate) {
    kept_.push_back(std::move(sighting));
    return;
  }
  if (alike_.empty())
    for (std::size_t i = 0; i < kept_.size(); ++i) alike_.try_emplace(likeness(kept_[i]), i);
  const auto [at, is_new] = alike_.try_emplace(likeness(sighting), kept_.size());
  if (!is_new) {
    count_with(kept_[at->second], sighting);
  } else if (kept_.size() < kLimit) {
    kept_.push_back(std::move(sighting));
  } else {
    alike_.erase(at);
    ++lost_;
  }
}

void SightingLog::expect(std::set<std::string> words) {
  const std::lock_guard lock(mutex_);
  expected_ = std::move(words);
  seen_.clear();
}

std::set<std::string> SightingLog::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

std::set<std::string> SightingLog::wait_for_all() const {
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, kLogPatience, [this] { return seen_.size() == expected_.size(); });
  return seen_;
}

std::vector<Sighting> SightingLog::all() const {
  const std::lock_guard lock(mutex_);
  return kept_;
}

std::vector<Sighting> SightingLog::take() {
  const std::lock_guard lock(mutex_);
  alike_.clear();
  return std::exchange(kept_, {});
}

std::uint64_t SightingLog::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

std::uint64_t SightingLog::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

}  // namespace telltale::catcher
