#include "tools/setting_options.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

namespace telltale::tools {

namespace {

constexpr std::string_view kNoSuchName = "no-such-name";

Result<catcher::SealedPlan> plan_of(const SettingOptions& options) {
  catcher::SealedPlan plan;
  plan.proxy_variables = options.proxy_variables;
  if (options.answer.empty()) return plan;
  if (options.answer == kNoSuchName) {
    plan.no_such_name = true;
    return plan;
  }
  const auto mode = catcher::answer_mode_of(options.answer);
  if (!mode)
    return fail(Fault::input, fmt::format("--answer {} is no way to answer", options.answer),
                fmt::format("write one of {}, {}", catcher::answer_mode_words(), kNoSuchName));
  plan.answer = *mode;
  return plan;
}

}  // namespace

void add_setting_options(CLI::App& app, SettingOptions& options) {
  app.add_flag("--plain", options.plain,
               "no sealed world: the machine as it is, with proxy and sampler only (reduced "
               "assurance; what the program sends does leave)");
  app.add_flag("--proxy-variables", options.proxy_variables,
               "give the program HTTP_PROXY and the like: its requests are then read at the proxy");
  app.add_option("--answer", options.answer,
                 "how what leads nowhere is answered: " + catcher::answer_mode_words() + ", " +
                     std::string(kNoSuchName) + " (default: accept-close)")
      ->type_name("MODE");
}

Result<std::unique_ptr<catcher::Setting>> open_setting(const SettingOptions& options,
                                                       subject::Enclosure& plain,
                                                       const std::filesystem::path& scratch,
                                                       const evidence::EvidenceFolder* folder) {
  if (options.plain) {
    if (!options.answer.empty())
      return fail(Fault::input, "--answer needs the sealed world, and --plain does without",
                  "leave one of them out");
    return catcher::plain_setting(plain);
  }
  auto plan = plan_of(options);
  if (!plan) return pass_on(std::move(plan.error()));
  plan->keep.push_back(scratch);
  if (folder != nullptr) {
    auto raw = folder->raw();
    if (!raw) return pass_on(std::move(raw.error()));
    plan->capture = *raw / "capture.pcapng";
  }
  return catcher::sealed_setting(std::move(*plan));
}

}  // namespace telltale::tools
