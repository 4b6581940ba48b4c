#include "subject/lane_context.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "subject/environment.hpp"

namespace telltale::subject {

namespace {

// "launch 2" -> "launch-2": a name that is one path element.
std::string file_name(std::string name) {
  for (auto& letter : name)
    if (letter == '/' || letter == ' ') letter = '-';
  return name;
}

std::vector<evidence::GivenVariable> shown(const Launch& launch) {
  std::vector<evidence::GivenVariable> variables;
  const auto& inherited = launch.inherited();
  for (const auto& [name, value] : launch.environment()) {
    const bool own = std::find(inherited.begin(), inherited.end(), name) == inherited.end();
    variables.push_back({name, own ? value : std::string(), !own});
  }
  return variables;
}

}  // namespace

Result<std::filesystem::path> LaneContext::log_for(const std::string& lane,
                                                   const std::string& name) const {
  auto kept = folder == nullptr ? Result<std::filesystem::path>(scratch) : folder->raw("log");
  if (!kept) return kept;
  return *kept / fmt::format("{}-{}.log", lane, file_name(name));
}

Result<> LaneContext::learn(const Launch& launch) {
  for (const auto& [name, value] : launch.secrets())
    if (auto added = masker.add(name, value); !added) return added;
  if (environment.empty()) {
    environment = shown(launch);
    environment_removed = launch.removed_variables();
    const auto* path = find_variable(launch.environment(), "PATH");
    auto files =
        evidence::executed_files(launch.command(), path != nullptr ? *path : "", launch.folder(),
                                 launch.root());
    if (files)
      executed = std::move(*files);  // a program that is not there is the start's to report
  }
  return {};
}

void LaneContext::note(const Error& error, evidence::LaneRecord& record) const {
  if (error.fault == Fault::interrupted)
    record.grounds.interrupted_by = interruption.signal();
  else
    record.grounds.failure = error.text();
}

evidence::LaneResult LaneContext::conclude(evidence::LaneRecord record) const {
  if (record.grounds.interrupted_by == 0) record.grounds.interrupted_by = interruption.signal();
  return evidence::conclude(std::move(record));
}

}  // namespace telltale::subject
