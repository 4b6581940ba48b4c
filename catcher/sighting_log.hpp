// The record of one observer: bounded, and able to tell a control's own act from the subject's.
//
// The first kSeparate sightings are kept one by one; later ones that differ from one that is there
// in nothing but time and client port are counted with it. Safe to use from any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "catcher/sighting.hpp"

namespace telltale::catcher {

class SightingLog {
 public:
  static constexpr std::size_t kSeparate = 2'000;
  static constexpr std::size_t kLimit = 30'000;  // more that differ are lost, and counted so

  // A sighting with one of the expected words in it is the control's: noted, not kept.
  void add(Sighting sighting);

  // Words that nothing but a control's act holds. `seen()` tells which came.
  void expect(std::set<std::string> words);
  [[nodiscard]] std::set<std::string> seen() const;
  // The same, once all have come, or two seconds later.
  [[nodiscard]] std::set<std::string> wait_for_all() const;

  [[nodiscard]] std::vector<Sighting> all() const;
  [[nodiscard]] std::vector<Sighting> take();  // the same; none are left
  [[nodiscard]] std::uint64_t count() const;   // without the controls'
  [[nodiscard]] std::uint64_t lost() const;

 private:
  [[nodiscard]] bool is_expected(const Sighting& sighting);

  mutable std::mutex mutex_;
  mutable std::condition_variable came_;  // an expected word
  std::vector<Sighting> kept_;
  std::unordered_map<std::string, std::size_t> alike_;  // key -> index; filled from kSeparate on
  std::set<std::string> expected_, seen_;
  std::uint64_t count_ = 0, lost_ = 0;
};

}  // namespace telltale::catcher
