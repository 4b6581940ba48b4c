#include <nlohmann/json.hpp>

#include "evidence/evidence_folder.hpp"
#include "evidence/json_lines.hpp"
#include "sweep/sweep.hpp"

namespace telltale::sweep {

namespace {

using Json = nlohmann::json;

Json to_json(const Exchange& exchange) {
  const auto& response = exchange.response;
  Json json = {{"what", exchange.what},
               {"url", response.url},
               {"answer", name(exchange.judged.answer)},
               {"status", response.status},
               {"attempts", response.attempts}};
  if (!exchange.judged.reason.empty()) json["reason"] = exchange.judged.reason;
  if (!response.http_version.empty()) json["http"] = response.http_version;
  if (response.bytes > 0) json["bytes"] = response.bytes;
  if (response.age) json["age_seconds"] = *response.age;
  if (!response.date.empty()) json["date"] = response.date;
  if (!response.redirect_hosts.empty()) json["redirected_to"] = response.redirect_hosts;
  return json;
}

Json to_json(const ModuleAnswer& one) {
  const auto& module = one.module;
  Json json = {{"ecosystem", module.ecosystem},
               {"path", module.path},
               {"version", module.version},
               {"kind", name(module.kind)},
               {"answer", module.asked() ? name(one.answer) : "not asked"}};
  if (!module.sum.empty()) json["sum"] = module.sum;
  if (module.replaced_by)
    json["replaced_by"] = {{"path", module.replaced_by->path},
                           {"version", module.replaced_by->version},
                           {"sum", module.replaced_by->sum}};
  if (module.indirect) json["indirect"] = true;
  if (!module.origin.empty()) json["origin"] = module.origin;
  if (const auto& why = module.asked() ? one.reason : module.reason; !why.empty())
    json["reason"] = why;
  if (!module.asked()) return json;
  json["published_as"] = name(one.publication);
  if (one.flapping) json["flapping"] = true;
  json["exchanges"] = Json::array();
  for (const auto& exchange : one.exchanges) json["exchanges"].push_back(to_json(exchange));
  return json;
}

}  // namespace

std::vector<Json> module_records(const std::vector<ModuleAnswer>& modules) {
  std::vector<Json> records;
  for (const auto& one : modules) records.push_back(to_json(one));
  return records;
}

Result<> keep_modules(const evidence::EvidenceFolder& folder,
                      const std::vector<ModuleAnswer>& modules) {
  auto place = folder.lane("self");
  if (!place) return pass_on(place.error());
  auto lines = evidence::JsonLines::create(*place / "modules.jsonl", nullptr);
  if (!lines) return pass_on(lines.error());
  for (auto& record : module_records(modules)) lines->append(std::move(record));
  if (auto finished = lines->finish(); !finished) return pass_on(finished.error());
  return {};
}

}  // namespace telltale::sweep
