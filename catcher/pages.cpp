#include "catcher/pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "subject/doors/page/visit.hpp"

namespace telltale::catcher {

namespace {

constexpr subject::Milliseconds kBlankTime{10'000};
static_assert(kBlankTime > subject::kBrowserLife);

std::string quoted(const std::set<std::string>& names) {
  return fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

}  // namespace

std::string host_of(const std::string& url) {
  const auto scheme = url.find("://");
  if (scheme == url.npos) return {};
  auto authority = url.substr(scheme + 3, url.find_first_of("/?#", scheme + 3) - scheme - 3);
  if (const auto user = authority.rfind('@'); user != authority.npos) authority.erase(0, user + 1);
  std::string host = authority.starts_with('[') ? authority.substr(1, authority.find(']') - 1)
                                                : authority.substr(0, authority.find(':'));
  for (auto& letter : host)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return host;
}

Result<> Pages::learn_browser(const subject::DoorContext& context, Scene& scene) {
  const auto before = scene.moment();
  scene.set(before.launch, kBrowserPhase);
  auto executable = subject::idle_browser(context, kBlankTime);
  scene.set(before.launch, before.phase);
  if (!executable) {
    auto error = std::move(executable.error());
    error.what = "what the browser asks for by itself could not be learnt: " + error.what;
    if (error.fault == Fault::subject) error.fault = Fault::instrument;
    return pass_on(std::move(error));
  }
  browsers_.insert(std::move(*executable));
  return {};
}

void Pages::heard(const subject::DriveReport& report) {
  for (const auto& door : report.doors) {
    if (door.html) html_.insert(door.door);
    if (door.browser.empty()) continue;
    browsers_.insert(door.browser);
    visited_.insert(door.door);
    for (const auto& request : door.requests) {
      auto& asked = asked_[host_of(request.url)];
      asked.doors.insert(door.door);
      if (asked.requests.size() < kExamples)
        asked.requests.insert(request.method + " " + request.url);
    }
  }
}

std::set<std::string> Pages::hosts_of_its_own(const std::vector<Attempt>& all) const {
  std::set<std::string> hosts;
  for (const auto& attempt : all)
    if (browsers_.count(attempt.executable) != 0 && attempt.phases.count(kBrowserPhase) != 0 &&
        asked_.count(attempt.host) == 0)
      hosts.insert(attempt.host);
  return hosts;
}

bool Pages::puzzled_by(const std::vector<Attempt>& attempts) const {
  const auto own = hosts_of_its_own(attempts);
  return std::any_of(attempts.begin(), attempts.end(), [&](const auto& attempt) {
    return browsers_.count(attempt.executable) != 0 && asked_.count(attempt.host) == 0 &&
           own.count(attempt.host) == 0;
  });
}

std::vector<Attempt> Pages::sort_out(std::vector<Attempt>& attempts) const {
  const auto hosts = hosts_of_its_own(attempts);
  std::vector<Attempt> own, rest;
  for (auto& attempt : attempts) {
    const bool browsers = browsers_.count(attempt.executable) != 0;
    const auto asked = asked_.find(attempt.host);
    if (browsers && asked != asked_.end()) {
      attempt.executable = "page " + quoted(asked->second.doors);
      attempt.requests.insert(asked->second.requests.begin(), asked->second.requests.end());
    } else if (browsers && hosts.count(attempt.host) != 0) {
      own.push_back(std::move(attempt));
      continue;
    } else if (browsers && !visited_.empty()) {
      attempt.executable = "page " + quoted(visited_);
    }
    rest.push_back(std::move(attempt));
  }
  attempts = std::move(rest);
  return own;
}

void Pages::add_rows(const std::vector<Attempt>& own, evidence::LaneRecord& record) const {
  if (browsers_.empty()) return;
  record.rows.emplace_back("pages opened with", fmt::format("{}", fmt::join(browsers_, ", ")), "",
                           "left on about:blank first, to learn what it asks for by itself");
  for (const auto& attempt : own)
    record.rows.emplace_back("browser's own", attempt.destination(), "",
                             "as on about:blank, and asked for by no page: not counted");
}

std::vector<evidence::Unexamined> Pages::unopened() const {
  if (!doors_.empty() && !opened_)
    return {{"pages",
             fmt::format("pages not opened: {}, which only the sealed world allows",
                         quoted({doors_.begin(), doors_.end()})),
             {}}};
  if (html_.empty() || !doors_.empty()) return {};
  return {{"pages",
           fmt::format("pages not opened: {} {} with HTML, and no page door opened it",
                       quoted(html_), html_.size() == 1 ? "answers" : "answer"),
           {}}};
}

}  // namespace telltale::catcher
