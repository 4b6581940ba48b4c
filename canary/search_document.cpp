#include "canary/search_document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "canary/plant.hpp"
#include "canary/search_evidence.hpp"
#include "evidence/characters.hpp"
#include "evidence/results.hpp"
#include "evidence/verdict.hpp"

namespace telltale::canary {

namespace {

using evidence::valid_utf8;
using evidence::Verdict;
using nlohmann::json;

// A search that found nothing says just that. CLEAN is a claim about a subject.
std::string_view verdict_name(Verdict verdict) {
  if (verdict == Verdict::clean) return "NOT FOUND";
  return verdict == Verdict::findings ? "FOUND" : evidence::name(verdict);
}

std::string number_of(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// What is searched for, by value_name(), in the order given.
std::vector<std::pair<std::string, const Pattern*>> values_of(const SearchResult& result) {
  std::vector<std::pair<std::string, const Pattern*>> values;
  for (const auto& pattern : result.patterns)
    if (values.empty() || values.back().first != pattern.value_name())
      values.emplace_back(pattern.value_name(), &pattern);
  return values;
}

std::string headline(const SearchResult& result, Verdict verdict) {
  std::set<std::string> found;
  for (const auto& hit : result.hits) found.insert(result.patterns.at(hit.pattern).value_name());
  const auto all = values_of(result).size();
  const auto bounds =
      fmt::format("{}, {} bytes searched", number_of(result.counts.files, "file", "files"),
                  result.counts.read + result.counts.holes);
  if (!found.empty())
    return fmt::format("{}: {} of {} ({})", verdict_name(verdict), found.size(),
                       number_of(all, "value", "values"), bounds);
  return fmt::format("{}: {} ({})", verdict_name(verdict), number_of(all, "value", "values"),
                     bounds);
}

// judge()'s reasons name every unseen place and speak of waivers: here these are a list of their
// own.
json reasons(const SearchResult& result) {
  auto grounds = grounds_of(result);
  grounds.findings.clear();
  grounds.unexamined.clear();
  const auto judgement = judge(grounds);
  json all = judgement.reasons();
  if (!result.unseen.empty())
    all.push_back(
        fmt::format("{} could not be seen", number_of(result.unseen.size(), "place", "places")));
  return all;
}

json values_json(const SearchResult& result) {
  auto all = json::array();
  for (const auto& [name, pattern] : values_of(result)) {
    json value{{"name", name}};
    if (pattern->kind == Kind::canary) value["value"] = valid_utf8(pattern->bytes);
    all.push_back(std::move(value));
  }
  return all;
}

std::string_view name_of(Place place) {
  switch (place) {
    case Place::content:
      return "content";
    case Place::decoded:
      return "decoded";
    case Place::name:
      return "name";
    case Place::link_target:
      return "link target";
    case Place::attribute:
      return "attribute";
  }
  return "";
}

json hits_json(const SearchResult& result) {
  auto all = json::array();
  for (const auto& hit : result.hits) {
    const auto& pattern = result.patterns.at(hit.pattern);
    all.push_back({{"where", valid_utf8(hit.where())},
                   {"path", valid_utf8(hit.path)},
                   {"place", name_of(hit.place)},
                   {"inside", valid_utf8(hit.inside)},
                   {"value", pattern.value_name()},
                   {"form", pattern.form},
                   {"count", hit.count},
                   {"offsets", hit.offsets}});
  }
  return all;
}

std::string_view name_of(Unseen::Cause cause) {
  switch (cause) {
    case Unseen::Cause::unreadable:
      return "unreadable";
    case Unseen::Cause::changed:
      return "changed";
    case Unseen::Cause::undecoded:
      return "undecoded";
  }
  return "";
}

json unseen_json(const SearchResult& result) {
  auto all = json::array();
  for (const auto& unseen : result.unseen)
    all.push_back({{"path", valid_utf8(unseen.path)},
                   {"why", valid_utf8(unseen.why)},
                   {"cause", name_of(unseen.cause)}});
  return all;
}

json counts_json(const Counts& counts) {
  return {{"files", counts.files},           {"with_content", counts.with_content},
          {"again", counts.again},           {"folders", counts.folders},
          {"links", counts.links},           {"special", counts.special},
          {"attributes", counts.attributes}, {"read", counts.read},
          {"holes", counts.holes},           {"unread", counts.unread},
          {"decoded", counts.decoded},       {"passed_over", counts.passed_over}};
}

json headers_json(const SearchResult& result) {
  auto all = json::array();
  for (const auto& row : result.headers.rows())
    all.push_back({{"class", valid_utf8(row.file_class)},
                   {"known_as", row.known_as},
                   {"files", row.files},
                   {"distinct", row.distinct},
                   {"example", valid_utf8(row.example)}});
  return all;
}

json controls_json(const SearchResult& result) {
  auto all = json::array();
  for (const auto& control : result.controls)
    all.push_back({{"name", control.name},
                   {"expected", control.expected},
                   {"observed", valid_utf8(control.observed)},
                   {"held", control.held}});
  return all;
}

json texts(const std::vector<std::string>& all) {
  auto made = json::array();
  for (const auto& text : all) made.push_back(valid_utf8(text));
  return made;
}

}  // namespace

json search_document(const SearchResult& result) {
  const auto verdict = judge(grounds_of(result)).verdict();
  const auto tool = evidence::tool_stamp("cipher search");
  auto limits = json::array();
  for (const auto& limit : search_limits()) limits.push_back(limit.what);
  return {{"tool", {{"name", tool.name}, {"version", tool.version}, {"commit", tool.commit}}},
          {"verdict", verdict_name(verdict)},
          {"exit_status", static_cast<int>(exit_status_of(result))},
          {"headline", headline(result, verdict)},
          {"reasons", reasons(result)},
          {"started", evidence::rfc3339(result.started)},
          {"ended", evidence::rfc3339(result.ended)},
          {"roots", texts(result.roots)},
          {"values", values_json(result)},
          {"hits", hits_json(result)},
          {"unseen", unseen_json(result)},
          {"counts", counts_json(result.counts)},
          {"headers", headers_json(result)},
          {"controls", controls_json(result)},
          {"limits", limits}};
}

evidence::ExitStatus exit_status_of(const SearchResult& result) {
  return evidence::exit_status(judge(grounds_of(result)), false, {});
}

}  // namespace telltale::canary
