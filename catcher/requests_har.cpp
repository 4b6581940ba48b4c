#include "catcher/requests_har.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace telltale::catcher {

namespace {

using nlohmann::json;

// HAR wants an absolute URL; a tunnel and a target without a host have none of their own.
std::string har_url(const Sighting& sighting) {
  if (sighting.target.find("://") != std::string::npos) return sighting.target;
  const auto scheme = sighting.method == "CONNECT" ? "https" : "http";
  const bool six = sighting.host.find(':') != std::string::npos;
  const auto host = six ? "[" + sighting.host + "]" : sighting.host;
  const bool is_path = !sighting.target.empty() && sighting.target.front() == '/';
  return fmt::format("{}://{}:{}{}", scheme, host, sighting.port, is_path ? sighting.target : "/");
}

// A URL of the subject's may hold what no URL may: written as %NN.
std::string as_uri(const std::string& url) {
  constexpr std::string_view kNotAllowed = " \"<>\\^`{|}";
  std::string uri;
  for (const char character : url) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte > 0x20 && byte < 0x7f && kNotAllowed.find(character) == kNotAllowed.npos)
      uri += character;
    else
      uri += fmt::format("%{:02X}", byte);
  }
  return uri;
}

json query_of(const std::string& url) {
  auto list = json::array();
  const auto mark = url.find('?');
  if (mark == url.npos) return list;
  const auto end = std::min(url.find('#', mark), url.size());
  for (std::size_t at = mark + 1; at < end;) {
    const auto next = std::min(url.find('&', at), end);
    const auto pair = url.substr(at, next - at);
    const auto equals = pair.find('=');
    list.push_back({{"name", pair.substr(0, equals)},
                    {"value", equals == pair.npos ? "" : pair.substr(equals + 1)}});
    at = next + 1;
  }
  return list;
}

json har_request(const Sighting& sighting) {
  const auto url = as_uri(har_url(sighting));
  auto headers = json::array();
  for (const auto& name : sighting.header_names) headers.push_back({{"name", name}, {"value", ""}});
  const bool two = sighting.said.find("over HTTP/2") != std::string::npos;
  return {{"method", sighting.method},
          {"url", url},
          {"httpVersion", two ? "HTTP/2" : "HTTP/1.1"},
          {"cookies", json::array()},
          {"headers", std::move(headers)},
          {"queryString", query_of(url)},
          {"headersSize", -1},
          {"bodySize", -1}};
}

json har_response(const Sighting& sighting) {
  const bool by_proxy = sighting.protocol == "proxy";
  const bool played = sighting.answer_status != 0;
  return {{"status", played     ? sighting.answer_status
                     : by_proxy ? 502
                                : 0},
          {"statusText", by_proxy && !played ? "Bad Gateway" : ""},
          {"httpVersion", by_proxy || played ? "HTTP/1.1" : ""},
          {"cookies", json::array()},
          {"headers", json::array()},
          {"content", {{"size", 0}, {"mimeType", ""}}},
          {"redirectURL", ""},
          {"headersSize", -1},
          {"bodySize", -1},
          {"comment", played     ? "played inside, by " + sighting.answered_by
                      : by_proxy ? "by the tool's proxy"
                                 : "as the run's answer mode says"}};
}

json har_entry(const Sighting& sighting) {
  const auto program = sighting.executable.empty() ? "unknown program" : sighting.executable;
  json entry = {
      {"startedDateTime", evidence::rfc3339(sighting.at)},
      {"time", 0},
      {"request", har_request(sighting)},
      {"response", har_response(sighting)},
      {"cache", json::object()},
      {"timings", {{"send", 0}, {"wait", 0}, {"receive", 0}}},
      {"comment", fmt::format("by {}, process {}, launch {}, {}; seen by {}", program, sighting.pid,
                              sighting.launch, sighting.phase, sighting.observer)}};
  if (!sighting.address.empty()) entry["serverIPAddress"] = sighting.address;
  if (sighting.client_port != 0) entry["connection"] = std::to_string(sighting.client_port);
  return entry;
}

}  // namespace

json requests_har(std::vector<Sighting> sightings, const std::string& version) {
  std::erase_if(sightings, [](const auto& one) { return one.method.empty(); });
  std::stable_sort(sightings.begin(), sightings.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  auto entries = json::array();
  for (const auto& sighting : sightings) {
    if (entries.size() == kHarEntries) break;
    entries.push_back(har_entry(sighting));
  }
  json log = {{"version", "1.2"},
              {"creator", {{"name", "telltale"}, {"version", version}}},
              {"entries", std::move(entries)}};
  if (sightings.size() > kHarEntries)
    log["comment"] =
        fmt::format("{} later requests are not listed", sightings.size() - kHarEntries);
  return {{"log", std::move(log)}};
}

}  // namespace telltale::catcher
