// The exceptions of subject.yaml: `waive:` (for every lane) and `egress: allow:`.
//
//   auto waivers = Waivers::make("waive", terms, today);   // once a run
//   if (auto reason = waivers->covers("listener:9000")) ...
//   waivers->apply(record);                                // last, before conclude()
//
// An entry covers a key that it equals. In "file:" entries `*` stands for any characters but "/",
// and `**` for any characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/finding.hpp"
#include "evidence/instant.hpp"
#include "evidence/lane_result.hpp"
#include "evidence/result.hpp"

namespace telltale::evidence {

struct WaiverTerms {
  std::string what;
  std::string reason;
  std::string until;  // YYYY-MM-DD, the last day (UTC) on which it holds; empty: no expiry
};

class Waivers {
 public:
  Waivers() = default;
  // `kind` is "waive" or "allow"; it begins every error and is part of a finding's id.
  // Fault::input: an empty `what` or `reason`, or a date that is none.
  [[nodiscard]] static Result<Waivers> make(std::string kind, const std::vector<WaiverTerms>& terms,
                                            Instant today);

  // The reason of the first entry that holds today and covers the key; marks it used in this lane.
  [[nodiscard]] std::optional<std::string> covers(std::string_view key);

  // Waives what is unexamined, lists the entries in record.waivers and begins the next lane. Each
  // expired entry is a finding of the first lane that this is called for: one a run, not one a
  // lane.
  void apply(LaneRecord& record);

  [[nodiscard]] const std::vector<Waiver>& entries() const { return entries_; }

 private:
  std::string kind_;
  std::vector<Waiver> entries_;
  bool expired_told_ = false;
};

// "2026-11-30", in UTC.
[[nodiscard]] std::string utc_date(Instant instant);
// YYYY-MM-DD of a day that exists.
[[nodiscard]] bool is_date(std::string_view text);
// `*` as above.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace telltale::evidence
