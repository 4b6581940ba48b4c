#include "catcher/launch_maker.hpp"

#include <fmt/core.h>

#include "catcher/egress_record.hpp"
#include "catcher/sent/writes.hpp"

namespace telltale::catcher {

Result<> LaunchMaker::install() {
  auto caller = install_caller(context_.scratch);
  if (!caller) return pass_on(std::move(caller.error()));
  caller_ = std::move(*caller);
  return {};
}

Result<> LaunchMaker::start(Companions& companions, int number, const std::string& name) {
  watch_.scene().set(number, "set-up");
  return companions.start(specification_,
                          {watch_.enclosure(), watch_.scene(), watch_.setting().companions()}, name,
                          context_);
}

Result<std::unique_ptr<subject::Launch>> LaunchMaker::prepare(
    int number, const std::string& name, const subject::Difference* difference) {
  watch_.scene().set(number, "set-up");
  subject::LaunchOptions options;
  // Its folder: a short path, since programs put unix sockets there (sockaddr_un has 108 bytes).
  options.name = fmt::format("launch {}", number);
  options.difference = difference;
  options.extra_environment = watch_.environment();
  options.extra_environment.insert(options.extra_environment.end(), trust_.begin(), trust_.end());
  if (watch_.sent_values() != nullptr) options.canaries = mint_canaries(specification_);
  const auto canaries = options.canaries;
  options.home = context_.scratch / "egress-home";
  options.binary = context_.binary;
  auto log = context_.log_for("egress", name);
  if (!log) return pass_on(std::move(log.error()));
  options.log = std::move(*log);
  auto launch = subject::Launch::prepare(specification_, watch_.enclosure(), context_.interruption,
                                         context_.scratch, std::move(options));
  if (!launch) return launch;
  if (auto learned = context_.learn(**launch); !learned) return pass_on(std::move(learned.error()));
  if (auto* sent = watch_.sent_values()) sent->look_for(values_of(**launch, number, canaries));
  return launch;
}

ControlCaller LaunchMaker::caller_for(const subject::Launch& launch) const {
  return ControlCaller(watch_.enclosure(), watch_.scene(), caller_, launch.environment(),
                       specification_.user);
}

}  // namespace telltale::catcher
