#include "evidence/waivers.hpp"

#include <fmt/core.h>

#include <charconv>

namespace telltale::evidence {

namespace {

bool covers_key(const Waiver& waiver, std::string_view key) {
  if (waiver.what == key) return true;
  return waiver.what.starts_with("file:") && glob_matches(waiver.what, key);
}

Result<> check(const std::string& kind, const WaiverTerms& terms) {
  if (terms.what.empty())
    return fail(Fault::input, fmt::format("an entry of {}: does not say what it covers", kind),
                "give it a `what`, as a report names it: \"listener:9000\"");
  if (terms.reason.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(Fault::input, fmt::format("{}: \"{}\" has no reason", kind, terms.what),
                "say why it is meant to be so; the report prints it");
  if (!terms.until.empty() && !is_date(terms.until))
    return fail(Fault::input,
                fmt::format("{}: \"{}\": \"{}\" is not a date", kind, terms.what, terms.until),
                "write the last day as YYYY-MM-DD, or leave `until` out");
  return {};
}

Finding expired_finding(const Waiver& waiver, const std::string& id, const std::string& kind) {
  Finding finding;
  finding.id = id;
  finding.what =
      fmt::format("the {} entry for \"{}\" expired on {}", kind, waiver.what, waiver.until);
  finding.where = waiver.what;
  finding.details = {{"reason it gave", waiver.reason}};
  return finding;
}

}  // namespace

Result<Waivers> Waivers::make(std::string kind, const std::vector<WaiverTerms>& terms,
                              Instant today) {
  Waivers waivers;
  const auto date = utc_date(today);
  for (const auto& each : terms) {
    if (auto checked = check(kind, each); !checked) return pass_on(checked.error());
    const bool expired = !each.until.empty() && each.until < date;  // this form sorts as text
    waivers.entries_.push_back({each.what, each.reason, each.until, expired, false});
  }
  waivers.kind_ = std::move(kind);
  return waivers;
}

std::optional<std::string> Waivers::covers(std::string_view key) {
  for (auto& waiver : entries_) {
    if (waiver.expired || !covers_key(waiver, key)) continue;
    waiver.used = true;
    return waiver.reason;
  }
  return std::nullopt;
}

void Waivers::apply(LaneRecord& record) {
  for (auto& each : record.grounds.unexamined)
    if (each.waived.empty()) each.waived = covers(each.key).value_or("");
  int number = 0;
  for (auto& waiver : entries_) {
    if (waiver.expired && expired_told_) continue;
    record.waivers.push_back(waiver);
    waiver.used = false;
    if (waiver.expired)
      record.grounds.findings.push_back(
          expired_finding(waiver, fmt::format("{}-{}-{}", record.lane, kind_, ++number), kind_));
  }
  expired_told_ = true;
}

std::string utc_date(Instant instant) {
  return rfc3339(instant).substr(0, 10);
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](std::size_t at, std::size_t size) {
    int value = -1;
    const auto* end = text.data() + at + size;
    const auto read = std::from_chars(text.data() + at, end, value);
    return read.ptr == end && text[at] != '-' ? value : -1;
  };
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (year < 1 || month < 1 || day < 1) return false;
  return std::chrono::year_month_day(std::chrono::year(year),
                                     std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

// Row by row over the pattern; reach[i]: the pattern so far can end at text[i]. The time is the
// product of both lengths, whatever the stars.
bool glob_matches(std::string_view pattern, std::string_view text) {
  std::vector<bool> reach(text.size() + 1, false);
  reach[0] = true;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    std::vector<bool> next(text.size() + 1, false);
    if (pattern[at] == '*') {
      const bool any = at + 1 < pattern.size() && pattern[at + 1] == '*';
      if (any) ++at;
      for (std::size_t i = 0; i <= text.size(); ++i)
        next[i] = reach[i] || (i > 0 && next[i - 1] && (any || text[i - 1] != '/'));
    } else {
      for (std::size_t i = 1; i <= text.size(); ++i)
        next[i] = reach[i - 1] && text[i - 1] == pattern[at];
    }
    reach = std::move(next);
  }
  return reach[text.size()];
}

}  // namespace telltale::evidence
