#include "catcher/companions.hpp"

#include <fmt/core.h>

#include <utility>

namespace telltale::catcher {

namespace {

subject::Specification specification_of_companion(const subject::Specification& file,
                                                  const subject::Companion& companion,
                                                  const CompanionPlace& place) {
  subject::Specification own;
  own.file = file.file;
  own.folder = file.folder;
  own.name = companion_party(companion.name);
  own.user = companion.user;
  own.setup = companion.setup;
  own.command = companion.command;
  own.env = companion.env;
  own.secrets = companion.secrets;
  own.files = companion.files;
  own.ready = companion.ready;
  own.stop = companion.stop;
  if (own.ready.kind == subject::Readiness::Kind::none) {
    own.ready.kind = subject::Readiness::Kind::tcp;
    own.ready.target = std::to_string(place.port);
  }
  own.ready.address = place.address;
  return own;
}

void know_processes(Scene& scene, const std::string& party, const subject::Launch& launch) {
  for (const auto pid : launch.tree()) scene.add_party(pid, party);
}

Error of_companion(const std::string& party, Error error) {
  if (error.what.rfind(party, 0) != 0) error.what = party + ": " + error.what;
  return error;
}

}  // namespace

std::string companion_party(const std::string& name) {
  return "companion " + name;
}

Result<> Companions::start(const subject::Specification& specification, World world,
                           const std::string& launch, subject::LaneContext& context) {
  scene_ = &world.scene;
  const auto& companions = specification.egress->companions;
  for (std::size_t i = 0; i < companions.size(); ++i) {
    const auto party = companion_party(companions[i].name);
    world.scene.set_party(party);
    auto started =
        start_one(specification, companions[i], world.places.at(i), world, launch, context);
    world.scene.set_party({});
    if (!started) return pass_on(of_companion(party, std::move(started.error())));
  }
  return {};
}

Result<> Companions::start_one(const subject::Specification& specification,
                               const subject::Companion& companion, const CompanionPlace& place,
                               const World& world, const std::string& launch,
                               subject::LaneContext& context) {
  subject::LaunchOptions options;
  options.name = fmt::format("{} {}", launch, companion_party(companion.name));
  options.variables = {{"address", place.address}, {"port", std::to_string(place.port)}};
  auto log = context.log_for("egress", options.name);
  if (!log) return pass_on(std::move(log.error()));
  options.log = std::move(*log);
  auto prepared = subject::Launch::prepare(
      specification_of_companion(specification, companion, place), world.enclosure,
      context.interruption, context.scratch, std::move(options));
  if (!prepared) return pass_on(std::move(prepared.error()));
  for (const auto& [name, value] : (*prepared)->secrets())
    if (auto added = context.masker.add(name, value); !added) return added;
  running_.push_back({companion_party(companion.name), std::move(*prepared)});
  auto& own = *running_.back().launch;
  if (auto started = own.start(); !started) return started;
  know_processes(world.scene, running_.back().party, own);
  return {};
}

Result<> Companions::check() {
  for (const auto& [party, launch] : running_) {
    know_processes(*scene_, party, *launch);
    if (!launch->running()) return pass_on(of_companion(party, launch->ended_error()));
  }
  return {};
}

void Companions::stop(const std::string& launch, evidence::LaneRecord& record) {
  for (; !running_.empty(); running_.pop_back()) {
    auto& [party, process] = running_.back();
    know_processes(*scene_, party, *process);
    const auto report = process->stop();
    record.rows.emplace_back(fmt::format("{}: {}", launch, party), report.exit.text(), "",
                             report.killed             ? "killed: it outlived the grace period"
                             : report.exited_by_itself ? "ended by itself"
                                                       : "stopped by the tool");
  }
}

}  // namespace telltale::catcher
