#include "canary/search_evidence.hpp"

#include <fmt/core.h>

#include "canary/plant.hpp"

namespace telltale::canary {

namespace {

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

std::string joined(const std::vector<std::uint64_t>& offsets, std::uint64_t count) {
  std::string text;
  for (const auto offset : offsets) text += fmt::format("{}{}", text.empty() ? "" : ", ", offset);
  return count > offsets.size() ? text + ", ..." : text;
}

evidence::Row count(const char* name, std::uint64_t value, const char* unit = "",
                    const char* note = "") {
  return {name, static_cast<std::int64_t>(value), unit, note};
}

}  // namespace

std::vector<evidence::Finding> findings_of(const SearchResult& result, std::size_t first) {
  std::vector<evidence::Finding> findings;
  for (const auto& hit : result.hits) {
    const auto& pattern = result.patterns.at(hit.pattern);
    evidence::Finding finding;
    finding.id = fmt::format("cipher-{}", first + findings.size());
    finding.what = fmt::format("{} is readable in {} ({}, {})", pattern.value_name(), hit.where(),
                               pattern.form, times(hit.count));
    finding.where = hit.where();
    finding.seen_by = {kObserver};
    finding.first = result.started;
    finding.last = result.ended;
    finding.details = {{"form", pattern.form},
                       {"times", std::to_string(hit.count)},
                       {"offsets", joined(hit.offsets, hit.count)}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<evidence::Unexamined> unexamined_of(const SearchResult& result) {
  std::vector<evidence::Unexamined> all;
  for (const auto& unseen : result.unseen)
    all.push_back({"file:" + unseen.path, unseen.path + " " + unseen.why, ""});
  return all;
}

evidence::ObserverRecord observer_of(const SearchResult& result) {
  evidence::ObserverRecord record;
  record.name = kObserver;
  record.role = evidence::Role::proof;
  record.sees =
      "the bytes of every file, what gzip files hold, names, targets of links, extended attributes";
  record.misses = "what is compressed otherwise, encoded, encrypted, split, deleted, or in memory";
  record.started = result.started;
  if (result.interrupted_by == 0) record.ended = result.ended;
  return record;
}

std::vector<evidence::Row> rows_of(const SearchResult& result) {
  const auto& counts = result.counts;
  return {
      count("files searched", counts.files),
      count("files with content", counts.with_content),
      count("bytes read", counts.read, "B"),
      count("bytes in holes", counts.holes, "B", "stored nowhere, so not read"),
      count("bytes decoded", counts.decoded, "B", "out of gzip files"),
      count("bytes in no gzip member", counts.passed_over, "B", "searched as they stand"),
      count("bytes that could not be read", counts.unread, "B"),
      count("folders", counts.folders),
      count("symbolic links", counts.links, "", "read, not followed"),
      count("extended attributes", counts.attributes),
      count("further names of a file", counts.again, "", "hard links: the content is read once"),
      count("sockets, FIFOs and devices", counts.special, "", "named, not opened"),
      count("places not seen", result.unseen.size()),
      count("values and forms found", result.hits.size()),
  };
}

evidence::Table header_table_of(const SearchResult& result) {
  evidence::Table table("First bytes of the files",
                        {"files named", "known as", "files", "distinct first 16 bytes", "example"},
                        "a description, not a proof: plain text can follow a header of any kind");
  for (const auto& row : result.headers.rows())
    table.add({row.file_class, row.known_as, static_cast<std::int64_t>(row.files),
               static_cast<std::int64_t>(row.distinct), row.example});
  return table;
}

const std::vector<evidence::Limit>& search_limits() {
  static const std::vector<evidence::Limit> limits{
      {"a value that was compressed (other than by gzip), encoded, encrypted or cut apart is not "
       "found by this search"},
      {"compressed pages and values inside database files are not decoded"},
      {"files that were deleted, also those still open, memory and raw devices were not searched"},
  };
  return limits;
}

evidence::Grounds grounds_of(const SearchResult& result) {
  evidence::Grounds grounds;
  grounds.required_controls = required_controls();
  grounds.controls = result.controls;
  grounds.observers = {observer_of(result)};
  grounds.findings = findings_of(result);
  grounds.unexamined = unexamined_of(result);
  grounds.examined = result.counts.with_content;
  grounds.examined_unit = "files with content";
  grounds.interrupted_by = result.interrupted_by;
  return grounds;
}

}  // namespace telltale::canary
