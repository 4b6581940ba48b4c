#include "support/results_schema.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "support/json_schema.hpp"

namespace telltale::test {

namespace {

using nlohmann::json;
using Faults = std::vector<std::string>;

// RFC 3339 with one fixed layout sorts as text.
void check_times(const json& object, const std::string& place, Faults& faults) {
  if (object["started"].is_null() || object["ended"].is_null()) return;
  if (object["ended"] < object["started"]) faults.push_back(place + " ended before it started");
}

void check_tables(const json& lane, const std::string& place, Faults& faults) {
  for (const auto& table : lane["tables"])
    for (const auto& row : table["rows"])
      if (row.size() != table["columns"].size())
        faults.push_back(place + " table \"" + table["title"].get<std::string>() +
                         "\" has a row of another length");
}

void check_sight(const json& lane, const std::string& place, Faults& faults) {
  for (const auto& observer : lane["observers"]) {
    if (observer["role"] != "proof") continue;
    bool tried = false;
    for (const auto& control : lane["controls"])
      tried =
          tried || (control["polarity"] == "positive" && control["observer"] == observer["name"]);
    if (!tried)
      faults.push_back(place + " is CLEAN, and nothing shows that " +
                       observer["name"].get<std::string>() + " can see");
  }
}

void check_controls(const json& lane, const std::string& place, Faults& faults) {
  std::set<std::string> ran;
  for (const auto& control : lane["controls"]) ran.insert(control["name"]);
  for (const auto& missing : lane["controls_missing"])
    if (ran.count(missing) > 0)
      faults.push_back(place + " control " + missing.get<std::string>() + " both ran and did not");
}

void check_lane(const json& lane, std::set<std::string>& ids, Faults& faults) {
  const auto place = lane["lane"].get<std::string>();
  check_times(lane, place, faults);
  for (const auto& observer : lane["observers"])
    check_times(observer, place + " observer " + observer["name"].get<std::string>(), faults);
  check_tables(lane, place, faults);
  check_controls(lane, place, faults);
  if (lane["verdict"] == "CLEAN") check_sight(lane, place, faults);
  for (const auto& finding : lane["findings"])
    if (!ids.insert(finding["id"]).second)
      faults.push_back("finding " + finding["id"].get<std::string>() + " is there twice");
}

}  // namespace

std::vector<std::string> results_faults(const json& document) {
  auto faults = schema_faults(TELLTALE_RESULTS_SCHEMA, document);
  if (!faults.empty()) return faults;
  check_times(document["times"], "the run", faults);
  std::set<std::string> ids;
  std::set<std::string> lanes;
  for (const auto& lane : document["lanes"]) {
    if (!lanes.insert(lane["lane"]).second)
      faults.push_back("lane " + lane["lane"].get<std::string>() + " is there twice");
    check_lane(lane, ids, faults);
  }
  return faults;
}

std::vector<std::string> results_faults_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return {"cannot read " + file.string()};
  const auto document = json::parse(in, nullptr, false);
  if (document.is_discarded()) return {file.string() + " is not JSON"};
  return results_faults(document);
}

}  // namespace telltale::test
