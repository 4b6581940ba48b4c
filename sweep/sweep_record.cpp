#include "sweep/sweep_record.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "evidence/counted.hpp"
#include "evidence/host_stamp.hpp"
#include "sweep/address.hpp"

namespace telltale::sweep {

namespace {

using evidence::Row;

std::int64_t number(std::size_t count) {
  return static_cast<std::int64_t>(count);
}

std::string hosts_of(const Endpoints& endpoints) {
  std::string hosts;
  for (const auto& endpoint : endpoints.list)
    hosts += (hosts.empty() ? "" : ", ") + host_of(endpoint.address);
  return hosts;
}

// ---- findings and what was not looked at

std::string consequence(const ModuleAnswer& one) {
  switch (one.answer) {
    case Answer::absent:
      return "is not there";
    case Answer::refused:
      return "is refused to anyone without a credential";
    default:
      return "could not be asked";
  }
}

void add_details(evidence::Finding& finding, const ModuleAnswer& one) {
  const auto detail = [&](const char* name, const std::string& value) {
    if (!value.empty()) finding.details.emplace_back(name, value);
  };
  detail("read from", one.module.origin);
  detail("hash", one.module.asked_sum());
  for (const auto& exchange : one.exchanges) {
    detail("asked", exchange.response.url);
    detail("answer", exchange.judged.reason.empty() ? "200" : exchange.judged.reason);
    detail("answer's date", exchange.response.date);
    if (exchange.response.age) detail("answer's age", fmt::format("{} s", *exchange.response.age));
    if (exchange.response.attempts > 1)
      detail("asked in all", fmt::format("{} times", exchange.response.attempts));
    for (const auto& host : exchange.response.redirect_hosts) detail("redirected to", host);
  }
}

class Grounds {
 public:
  Grounds(evidence::LaneRecord& record, const RecordContext& context)
      : record_(record), context_(context) {}

  void add(const ModuleAnswer& one) {
    const auto& module = one.module;
    switch (module.kind) {
      case ModuleKind::private_name:
        return add_private(module);
      case ModuleKind::local:
      case ModuleKind::unresolved:
        return not_looked_at(module, module.reason);
      case ModuleKind::main:
      case ModuleKind::toolchain:
      case ModuleKind::graph_only:
        return;
      case ModuleKind::published:
        break;
    }
    if (one.answer == Answer::unknown) not_looked_at(module, one.reason);
    if (one.answer == Answer::absent || one.answer == Answer::refused) add_finding(one);
  }

  void add_incomplete(const std::string& why) {
    if (why.empty()) return;
    record_.grounds.unexamined.push_back({"modules", why, ""});
  }

 private:
  evidence::Finding& start(const Module& module, std::string what) {
    evidence::Finding finding;
    finding.id = fmt::format("self-module-{}", record_.grounds.findings.size() + 1);
    finding.what = std::move(what);
    finding.where = module.key();
    finding.first = finding.last = evidence::now();
    record_.grounds.findings.push_back(std::move(finding));
    return record_.grounds.findings.back();
  }

  // It stands by itself: no registry had to be believed for it.
  void add_private(const Module& module) {
    auto& finding = start(module, fmt::format("{} cannot be fetched by anyone else: {}",
                                              module.label(), module.reason));
    finding.seen_by = {context_.reading.source};
    if (!module.origin.empty()) finding.details = {{"read from", module.origin}};
  }

  void add_finding(const ModuleAnswer& one) {
    auto& finding = start(
        one.module, fmt::format("{} {}: {}", one.module.label(), consequence(one), one.reason));
    finding.seen_by = {"registry client"};
    // It means something only of a registry that serves what is there and says what is not.
    finding.rests_on = record_.grounds.required_controls;
    add_details(finding, one);
  }

  void not_looked_at(const Module& module, const std::string& why) {
    record_.grounds.unexamined.push_back(
        {"module:" + module.key(), fmt::format("{}: {}", module.label(), why), ""});
  }

  evidence::LaneRecord& record_;
  const RecordContext& context_;
};

// ---- rows

void add_counts(std::vector<Row>& rows, const Tally& sums, const Reading& reading) {
  rows.emplace_back("modules read", number(sums.parsed), "modules",
                    reading.source + (reading.weaker ? " (the weaker source)" : ""));
  rows.emplace_back("modules needed", number(sums.needed), "modules");
  rows.emplace_back("fetchable", number(sums.fetchable), "modules",
                    fmt::format("of {} needed", sums.needed));
  rows.emplace_back("absent", number(sums.absent), "modules");
  rows.emplace_back("refused", number(sums.refused), "modules");
  rows.emplace_back("unknown", number(sums.unknown), "modules");
  rows.emplace_back("private required", number(sums.private_names), "modules");
  for (const auto& [kind, count] : sums.skipped)
    rows.emplace_back(fmt::format("not asked: {}", name(kind)), number(count), "modules");
  if (sums.flapping > 0)
    rows.emplace_back("flapping", number(sums.flapping), "modules",
                      "not there at first, served when asked again");
  rows.emplace_back("without a recorded hash", number(sums.without_sum), "modules",
                    sums.without_sum == 0 ? "" : "which bytes are meant is not pinned");
}

void add_publications(std::vector<Row>& rows, const Tally& sums) {
  static constexpr Publication kAll[] = {Publication::release,         Publication::prerelease,
                                         Publication::pseudo_version,  Publication::no_release,
                                         Publication::served_but_gone, Publication::nothing,
                                         Publication::unknown};
  for (const auto publication : kAll) {
    const auto found = sums.published.find(publication);
    rows.emplace_back(fmt::format("published as: {}", name(publication)),
                      found == sums.published.end() ? 0 : number(found->second), "modules");
  }
}

void add_asking(std::vector<Row>& rows, const RecordContext& context) {
  rows.emplace_back("registry", context.endpoints.list.front().address, "",
                    context.endpoints.chosen_by);
  std::uint64_t requests = 0;
  for (const auto& [host, count] : context.fetcher.hosts()) {
    requests += count;
    rows.emplace_back("requests to " + host, static_cast<std::int64_t>(count), "requests");
  }
  if (context.options.host != nullptr)
    rows.push_back(Row::timing("sweep", context.seconds, "s", *context.options.host,
                               fmt::format("{} requests, controls included", requests)));
}

evidence::Table module_table(const std::vector<ModuleAnswer>& modules) {
  evidence::Table table("Modules", {"module", "version", "answer", "published as", "note"});
  for (const auto& one : modules) {
    const auto& module = one.module;
    std::string note = module.asked() ? one.reason : module.reason;
    if (one.flapping) note = "flapping: not there at first";
    if (module.replaced_by && module.asked()) note = "instead of " + module.key() + "; " + note;
    if (note.ends_with("; ")) note.resize(note.size() - 2);
    table.add({module.asked() ? module.asked_path() : module.path,
               module.asked() ? module.asked_version() : module.version,
               std::string(module.asked() ? name(one.answer) : "not asked"),
               std::string(module.asked() ? name(one.publication) : ""), note});
  }
  return table;
}

// ---- limits

std::optional<long> oldest_answer(const std::vector<ModuleAnswer>& modules) {
  std::optional<long> oldest;
  for (const auto& one : modules)
    for (const auto& exchange : one.exchanges)
      if (exchange.response.age) oldest = std::max(oldest.value_or(0), *exchange.response.age);
  return oldest;
}

void add_limits(evidence::LaneRecord& record, const std::vector<ModuleAnswer>& modules,
                const RecordContext& context) {
  auto& limits = record.limits;
  limits.push_back(
      {"fetchable is not buildable: of each archive it was asked only whether it is there; no "
       "source "
       "was downloaded, no hash compared, nothing built"});
  limits.push_back({fmt::format("only {} was asked, from this machine, at this time",
                                hosts_of(context.endpoints))});
  for (const auto& limit : context.reading.limits) limits.push_back({limit});
  for (const auto& note : context.endpoints.notes) limits.push_back({note});
  if (const auto age = oldest_answer(modules))
    limits.push_back({fmt::format("answers came from a cache, the oldest after {} s", *age)});
}

std::string bounds(const Tally& sums, const RecordContext& context) {
  auto text =
      fmt::format("{}, {}, {}", evidence::counted(sums.needed, "module"),
                  hosts_of(context.endpoints), evidence::rfc3339(evidence::now()).substr(0, 10));
  if (context.reading.weaker) text += fmt::format(", read from {}", context.reading.source);
  return text;
}

}  // namespace

void fill_record(evidence::LaneRecord& record, const std::vector<ModuleAnswer>& modules,
                 const RecordContext& context) {
  const auto sums = tally(modules);
  record.lane = "self";
  record.claim =
      fmt::format("every module that {} is fetchable with no credential", context.reading.claim);
  record.bounds = bounds(sums, context);
  record.grounds.examined = sums.asked;
  record.grounds.examined_unit = "modules answered";
  Grounds grounds(record, context);
  for (const auto& one : modules) grounds.add(one);
  grounds.add_incomplete(context.reading.incomplete);
  for (const auto& one : modules)
    if (!one.module.asked()) record.skipped.emplace_back(one.module.label(), one.module.reason);
  for (const auto& [fact, value] : context.reading.facts) record.rows.emplace_back(fact, value);
  add_counts(record.rows, sums, context.reading);
  add_publications(record.rows, sums);
  add_asking(record.rows, context);
  record.tables.push_back(module_table(modules));
  add_limits(record, modules, context);
}

}  // namespace telltale::sweep
