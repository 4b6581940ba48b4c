#include "tools/setting_options.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "subject/identity.hpp"
#include "tools/options.hpp"
#include "tools/sent_search.hpp"

namespace telltale::tools {

namespace {

constexpr std::string_view kNoSuchName = "no-such-name";

Result<catcher::SealedPlan> plan_of(const SettingOptions& options, catcher::SealedPlan plan) {
  if (options.proxy_variables) plan.proxy_variables = catcher::ProxyVariables::every;
  if (!options.user.empty()) {
    const auto user = subject::find_identity(options.user);
    if (!user) return pass_on(user.error());
    plan.changes_user = user->uid != geteuid();
  }
  plan.witness = !options.no_witness;
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

// What only a world of its own can do, and only one that lets a connection come about.
Result<> check_options(const SettingOptions& options, const catcher::SealedPlan& plan) {
  const bool dropping = options.answer == catcher::word_of(catcher::AnswerMode::drop);
  if (dropping && !plan.answers->empty())
    return fail(Fault::input,
                "--answer drop lets no connection come about, and the file has answers:",
                "leave one of them out");
  const auto* asked = options.plain && !options.answer.empty()  ? "--answer"
                      : options.plain && !plan.answers->empty() ? "answers:"
                      : !plan.companions.empty()                ? "companions:"
                                                                : nullptr;
  if (asked == nullptr || !(options.plain || options.without_namespaces)) return {};
  return fail(Fault::input,
              fmt::format("{} needs the sealed world, and --{} does without", asked,
                          options.plain ? "plain" : "without-namespaces"),
              "leave one of them out");
}

// A machine that allows no world is told what is left, and what it is worth.
Result<std::unique_ptr<catcher::Setting>> or_what_is_left(
    Result<std::unique_ptr<catcher::Setting>> setting) {
  if (setting || setting.error().fault != Fault::instrument) return setting;
  setting.error().fix +=
      "\n  \"telltale doctor\" tries everything that a run needs. With less assurance: "
      "--without-namespaces (Landlock holds it back), or --plain (nothing does)";
  return setting;
}

// What leaves nothing to be read.
Result<> check_reading(const SettingOptions& options) {
  if (!options.read_tls) return {};
  if (options.plain || options.without_namespaces)
    return fail(Fault::input,
                fmt::format("--read-tls needs the sealed world, and --{} does without",
                            options.plain ? "plain" : "without-namespaces"),
                "leave one of them out");
  if (options.answer == "refuse" || options.answer == "drop")
    return fail(
        Fault::input,
        fmt::format("--answer {} lets nothing be said, and --read-tls reads it", options.answer),
        "leave one of them out");
  if (options.proxy_variables)
    return fail(
        Fault::input,
        "--read-tls and --proxy-variables: at the proxy CONNECT is refused, and no TLS begins",
        "make a run of each");
  return {};
}

// The folder for what the program writes lies in `scratch`, which is removed with all it holds.
Result<> plan_view(const FileView& view, const std::filesystem::path& scratch,
                   catcher::WorldPlan& plan) {
  plan.keep.push_back(scratch);
  if (view.covered.empty() && view.root.empty()) return {};
  plan.layers = scratch / "layers";
  std::error_code error;
  if (!std::filesystem::create_directory(plan.layers, error) || error)
    return fail(Fault::instrument,
                fmt::format("{} cannot be made: {}", plan.layers.string(), error.message()),
                "set TMPDIR to a folder that can be written");
  plan.covered = view.covered;
  plan.root = view.root;
  plan.subject = view.user;
  return {};
}

}  // namespace

Result<bool> overlay_wanted(const SettingOptions& options) {
  const bool other_root = !options.rootfs.empty() || !options.oci.empty();
  const bool unsealed = options.plain || options.without_namespaces;
  if (other_root && (unsealed || !options.home.empty()))
    return fail(Fault::input,
                "--rootfs and --oci go neither with --plain, --without-namespaces nor --home",
                "leave it out: what is written in another root is thrown away anyway");
  if (other_root && options.read_tls)
    return fail(Fault::input,
                "--read-tls gives the run's authority to the machine's trust stores, and --rootfs "
                "and --oci have their own",
                "leave one of them out");
  if (!options.oci.empty() && !options.user.empty())
    return fail(Fault::input, "--oci and --user both say who the program is",
                "leave --user out: the image says it");
  if (options.home.empty()) return false;
  if (options.home != "overlay")
    return fail(Fault::input, fmt::format("--home {} is not known", options.home),
                "write --home overlay, or leave it out");
  if (!unsealed) return true;
  return fail(Fault::input,
              "--home overlay needs the sealed world, and --plain and --without-namespaces do "
              "without",
              "leave one of them out");
}

Result<catcher::SealedPlan> sealed_plan(const subject::Specification& specification,
                                        const SettingOptions& options) {
  catcher::SealedPlan plan;
  plan.proxy_variables = catcher::ProxyVariables::one_more;
  if (specification.cipher && !specification.cipher->write.empty()) plan.search = make_sent_search;
  if (!specification.egress) return plan;
  auto answers = catcher::AnswerTable::make(specification.egress->answers);
  if (!answers) return pass_on(std::move(answers.error()));
  plan.answers = std::move(*answers);
  plan.companions = catcher::companion_places(specification.egress->companions);
  if (auto fits = check_options(options, plan); !fits) return pass_on(std::move(fits.error()));
  return plan;
}

void add_setting_options(CLI::App& app, SettingOptions& options) {
  auto* plain =
      app.add_flag("--plain", options.plain,
                   "no sealed world: the machine as it is, with proxy and sampler only (reduced "
                   "assurance; what the program sends does leave)");
  auto* confined =
      app.add_flag(
             "--without-namespaces", options.without_namespaces,
             "no sealed world, where the machine allows none: Landlock and the witness hold the "
             "program back (reduced assurance)")
          ->excludes(plain);
  app.add_flag("--proxy-variables", options.proxy_variables,
               "give the program HTTP_PROXY and the like: its requests are then read at the proxy");
  app.add_flag("--no-witness", options.no_witness,
               "do not read the program's system calls, for one that makes very many connections: "
               "which program it was is then often unknown (reduced assurance)")
      ->excludes(plain)
      ->excludes(confined);
  app.add_flag("--read-tls", options.read_tls,
               "a launch in which the program is given a certificate authority of this run, and "
               "what it says inside TLS is read (of a SUBJECT.yaml: one launch more)");
  app.add_option("--answer", options.answer,
                 "how what leads nowhere is answered: " + catcher::answer_mode_words() + ", " +
                     std::string(kNoSuchName) + " (default: accept-close)")
      ->type_name("MODE");
  app.add_option("--home", options.home,
                 "overlay: a copy-on-write view of HOME, the source and all other files, which is "
                 "thrown away; what was written is listed")
      ->type_name("overlay");
  filled(app.add_option("--rootfs", options.rootfs,
                        "run the command with DIR as its root folder; nothing in DIR is changed"))
      ->type_name("DIR");
  filled(app.add_option("--oci", options.oci,
                        "run a container image: the folder or the archive of an OCI image layout, "
                        "or what docker save wrote; without a COMMAND the image's own"))
      ->type_name("PATH[:NAME]");
}

Result<std::unique_ptr<catcher::Setting>> open_setting(const SettingOptions& options,
                                                       const FileView& view,
                                                       subject::Enclosure& plain,
                                                       const std::filesystem::path& scratch,
                                                       const evidence::EvidenceFolder* folder,
                                                       catcher::SealedPlan base) {
  if (auto fine = check_reading(options); !fine) return pass_on(std::move(fine.error()));
  if (options.plain) {
    if (auto fits = check_options(options, base); !fits) return pass_on(std::move(fits.error()));
    return catcher::plain_setting(plain);
  }
  auto plan = plan_of(options, std::move(base));
  if (!plan) return pass_on(std::move(plan.error()));
  if (auto viewed = plan_view(view, scratch, plan->world); !viewed)
    return pass_on(std::move(viewed.error()));
  if (folder != nullptr) {
    auto raw = folder->raw();
    if (!raw) return pass_on(std::move(raw.error()));
    plan->capture = *raw / "capture.pcapng";
  }
  if (options.without_namespaces) return catcher::landlock_setting(std::move(*plan));
  return or_what_is_left(catcher::sealed_setting(std::move(*plan)));
}

}  // namespace telltale::tools
