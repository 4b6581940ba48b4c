#include "catcher/sent/writes.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "catcher/nonce.hpp"
#include "subject/driver.hpp"

namespace telltale::catcher {

namespace {

bool starts_with_any(const std::string& text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const auto& beginning) { return text.rfind(beginning, 0) == 0; });
}

// Encrypted, or about to be: of such a conversation only the hello is known.
bool is_unread(const Attempt& attempt) {
  return std::any_of(attempt.said.begin(), attempt.said.end(),
                     [](const auto& said) {
                       return starts_with_any(said, {"TLS hello", "half a TLS hello", "QUIC",
                                                     "part of a QUIC", "DTLS"});
                     }) ||
         std::any_of(attempt.requests.begin(), attempt.requests.end(),
                     [](const auto& request) { return starts_with_any(request, {"CONNECT "}); });
}

std::string destination_of_hit(const SentHit& hit) {
  Attempt attempt;
  attempt.host = hit.host;
  attempt.port = hit.port;
  attempt.protocol = hit.protocol;
  return attempt.destination();
}

evidence::Finding finding_of(const SentHit& hit, std::size_t number) {
  evidence::Finding finding;
  const auto where = destination_of_hit(hit);
  finding.id = fmt::format("egress-sent-{}", number);
  finding.what =
      fmt::format("{} was sent to {} ({})", hit.value, where, fmt::join(hit.forms, ", "));
  if (!hit.executables.empty())
    finding.what += fmt::format(" by {}", fmt::join(hit.executables, ", "));
  finding.where = where;
  finding.seen_by.assign(hit.observers.begin(), hit.observers.end());
  finding.first = hit.first;
  finding.last = hit.last;
  finding.details = {{"launches", fmt::format("{}", fmt::join(hit.launches, ", "))},
                     {"forms", fmt::format("{}", fmt::join(hit.forms, ", "))}};
  return finding;
}

}  // namespace

std::vector<std::string> mint_canaries(const subject::Specification& specification) {
  std::vector<std::string> canaries;
  const int count = specification.cipher ? specification.cipher->canaries : 0;
  for (int i = 0; i < count; ++i) canaries.push_back(make_nonce());
  return canaries;
}

std::vector<SentValue> values_of(const subject::Launch& launch, int number,
                                 const std::vector<std::string>& canaries) {
  std::vector<SentValue> values;
  for (std::size_t i = 0; i < canaries.size(); ++i)
    values.push_back({fmt::format("canary {} of launch {}", i + 1, number), canaries[i]});
  std::set<std::string> known;  // a secret is often the key itself
  const auto secrets = launch.secrets();
  for (const auto& [name, value] : secrets)
    if (known.insert(value).second)
      values.push_back(
          {fmt::format("{}{} of launch {}", name == "key" ? "" : "secret ", name, number), value});
  return values;
}

Result<> drive_writes(const subject::Specification& specification, subject::Launch& launch,
                      subject::Enclosure& enclosure, int number, evidence::LaneRecord& record) {
  evidence::Control control{
      fmt::format("writes, launch {}", number),
      "",
      evidence::Polarity::positive,
      "the file's cipher: write: steps succeed, and what they write is looked "
      "for in what is sent",
      "",
      true};
  for (const auto& step : specification.cipher->write) {
    const auto written = subject::run_step(step, launch, enclosure);
    if (written) continue;
    if (written.error().fault != Fault::subject) return pass_on(written.error());
    control.held = false;
    control.observed = written.error().what;
    break;
  }
  // Then the plain start is perhaps not one that can be written to, and that is no fault of it.
  if (!control.held && specification.cipher->keyed) {
    record.limits.push_back({fmt::format(
        "the writes of cipher: fail in launch {} without its keyed: ({}); what they write was not "
        "looked for in what was sent",
        number, control.observed)});
    return {};
  }
  if (control.held)
    control.observed = fmt::format("{} steps, all as expected", specification.cipher->write.size());
  record.grounds.required_controls.push_back(control.name);
  record.grounds.controls.push_back(std::move(control));
  return {};
}

void add_sent_values(const SentValues& sent, const std::vector<SentHit>& hits,
                     const std::vector<Attempt>& attempts, evidence::LaneRecord& record) {
  std::vector<evidence::Finding> findings;
  for (const auto& hit : hits) findings.push_back(finding_of(hit, findings.size() + 1));
  auto& all = record.grounds.findings;
  all.insert(all.begin(), findings.begin(), findings.end());
  for (const auto& name : sent.left_out())
    record.limits.push_back(
        {fmt::format("{} is too short to be told from chance, and was not looked for in what was "
                     "sent",
                     name)});
  if (!attempts.empty())
    record.limits.push_back(
        {"a value that left compressed (Content-Encoding, gzip), or that the chunks of an HTTP "
         "body cut apart, was not found in what was sent"});
  std::set<std::string> unread;
  for (const auto& attempt : attempts)
    if (is_unread(attempt)) unread.insert(attempt.destination());
  if (!unread.empty())
    record.limits.push_back(
        {fmt::format("payload unseen: whether a value left encrypted to {} is not known",
                     fmt::join(unread, ", "))});
}

}  // namespace telltale::catcher
