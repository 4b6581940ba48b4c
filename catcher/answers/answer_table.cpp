#include "catcher/answers/answer_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "catcher/answers/archive.hpp"
#include "evidence/credentials.hpp"
#include "evidence/waivers.hpp"

namespace telltale::catcher {

namespace {

std::string without_query(const std::string& target) {
  return target.substr(0, target.find_first_of("?#"));
}

std::string query_part(const std::string& target) {
  const auto mark = target.find('?');
  return mark == target.npos ? "" : target.substr(mark + 1, target.find('#', mark) - mark - 1);
}

bool same_host(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  });
}

bool fits(const AnswerPlace& place, const AskedRequest& request) {
  if (!same_host(place.host, request.host)) return false;
  if (place.port != 0 && place.port != request.port) return false;
  if (!place.method.empty() && place.method != request.method) return false;
  if (place.path.empty()) return true;
  const auto path = without_query(request.target);
  return place.exact ? place.path == path : evidence::glob_matches(place.path, path);
}

std::string server_text(const std::string& host, std::uint16_t port) {
  const auto shown = host.find(':') == host.npos ? host : "[" + host + "]";
  return port == 0 ? shown : fmt::format("{}:{}", shown, port);
}

AnswerPlace place_of(const subject::AnswerEntry& entry) {
  AnswerPlace place;
  place.host = entry.host;
  place.port = static_cast<std::uint16_t>(entry.port);
  place.method = entry.method;
  place.path = entry.path;
  place.answers.push_back({entry.status, entry.headers, entry.body, "the file"});
  return place;
}

}  // namespace

std::string AnswerPlace::text() const {
  return fmt::format("{}{}{}{}{}{}", method, method.empty() ? "" : " ", server_text(host, port),
                     path.empty() ? "/**" : path, query.empty() ? "" : "?", query);
}

Result<std::shared_ptr<AnswerTable>> AnswerTable::make(
    const std::vector<subject::AnswerEntry>& entries) {
  auto table = std::make_shared<AnswerTable>();
  for (const auto& entry : entries) {
    if (entry.replay.empty()) {
      table->places_.push_back(place_of(entry));
      continue;
    }
    auto recorded = read_archive(entry.replay);
    if (!recorded) return pass_on(std::move(recorded.error()));
    for (auto& place : *recorded) table->places_.push_back(std::move(place));
  }
  return table;
}

AnswerPlace* AnswerTable::find(const AskedRequest& request, bool with_query) {
  const auto query = query_part(request.target);
  const auto at = std::find_if(places_.begin(), places_.end(), [&](const auto& place) {
    return fits(place, request) && (!with_query || place.query == query);
  });
  return at == places_.end() ? nullptr : &*at;
}

const PlayedAnswer* AnswerTable::ask(const AskedRequest& request) {
  const std::lock_guard lock(mutex_);
  auto* place = find(request, true);
  if (place == nullptr) place = find(request, false);
  if (place == nullptr) return nullptr;
  const auto turn = std::min<std::uint64_t>(place->played++, place->answers.size() - 1);
  const auto& answer = place->answers[static_cast<std::size_t>(turn)];
  const auto word = server_text(request.host, request.port) + " by " + answer.source;
  if (std::find(played_.begin(), played_.end(), word) == played_.end()) played_.push_back(word);
  return &answer;
}

bool AnswerTable::knows(const std::string& host) const {
  return std::any_of(places_.begin(), places_.end(),
                     [&](const auto& place) { return same_host(place.host, host); });
}

bool AnswerTable::knows(const std::string& host, std::uint16_t port) const {
  return std::any_of(places_.begin(), places_.end(), [&](const auto& place) {
    return same_host(place.host, host) && (place.port == 0 || place.port == port);
  });
}

std::vector<std::string> AnswerTable::played() const {
  const std::lock_guard lock(mutex_);
  return played_;
}

std::vector<evidence::Row> AnswerTable::rows() const {
  const std::lock_guard lock(mutex_);
  std::vector<evidence::Row> rows;
  for (const auto& place : places_) {
    const auto& answer = place.answers.front();
    const auto what = evidence::mask_credentials(place.text());
    if (place.played == 0)
      rows.emplace_back("answer never asked for", what, "", "of " + answer.source);
    else
      rows.emplace_back("answered inside", what, "",
                        fmt::format("{}, by {}, {} time{}", answer.status, answer.source,
                                    place.played, place.played == 1 ? "" : "s"));
  }
  return rows;
}

std::string path_and_query(const std::string& target) {
  if (!target.empty() && target.front() == '/') return target;
  const auto scheme = target.find("://");
  if (scheme == target.npos) return {};
  const auto path = target.find_first_of("/?", scheme + 3);
  if (path == target.npos) return "/";
  return target[path] == '/' ? target.substr(path) : "/" + target.substr(path);
}

}  // namespace telltale::catcher
