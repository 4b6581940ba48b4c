#include "sweep/registries/go_proxy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sweep/address.hpp"
#include "sweep/registries/go_names.hpp"
#include "sweep/registries/go_settings.hpp"
#include "sweep/registries/table.hpp"
#include "sweep/text.hpp"

namespace telltale::sweep {

namespace {

constexpr std::size_t kInfoLimit = 64 << 10;  // real ones are a few hundred bytes
constexpr std::size_t kModLimit = 16 << 20;   // what the go command accepts
constexpr std::size_t kListLimit = 16 << 20;

std::string address(const Module& module, std::string_view file) {
  return fmt::format("/{}/@v/{}", go::escape(module.asked_path()), file);
}

std::string versioned(const Module& module, std::string_view extension) {
  return address(module, go::escape(module.asked_version()) + std::string(extension));
}

Judged judge_info(const Module& module, const Response& response) {
  const auto info = nlohmann::json::parse(response.body, nullptr, false);
  if (!info.is_object() || !info.contains("Version") || !info["Version"].is_string())
    return {Answer::unknown,
            fmt::format("the answer is not the JSON of a version: {}", describe(response))};
  const auto version = info["Version"].get<std::string>();
  if (version != module.asked_version())
    return {Answer::unknown, fmt::format("answered with another version, {}", excerpt(version))};
  return {Answer::fetchable, ""};
}

// A login page is no go.mod. The path is not compared: a fork keeps the path that it replaces.
Judged judge_mod(const Response& response) {
  for (const auto& line : split(response.body, '\n'))
    if (line.starts_with("module ") || line.starts_with("module\t") || line.starts_with("module("))
      return {Answer::fetchable, ""};
  return {Answer::unknown, fmt::format("the answer is no go.mod: {}", describe(response))};
}

// Its headers alone: the archive itself may be 500 MB. 206 is the answer to a GET of one byte.
Judged judge_zip(const Response& response) {
  if (response.content_type.starts_with("text/html"))
    return {Answer::unknown, "the answer is a web page, no archive"};
  return {Answer::fetchable, ""};
}

struct Listed {
  bool this_version = false;
  bool any_release = false;
  bool usable = true;  // every line is a version
};

Listed read_list(const std::string& body, const std::string& version) {
  Listed listed;
  for (const auto& line : split(body, '\n')) {
    const auto word = std::string(trim(line));
    if (word.empty()) continue;
    const auto form = go::version_form(word);
    listed.usable = listed.usable && form != go::VersionForm::invalid;
    listed.any_release = listed.any_release || form == go::VersionForm::release;
    listed.this_version = listed.this_version || word == version;
  }
  return listed;
}

class GoProxy final : public Registry {
 public:
  explicit GoProxy(const Settings& settings) : settings_(read_go_settings(settings)) {}

  std::string_view ecosystem() const override { return "go"; }
  std::string_view title() const override { return "Go module proxy"; }

  Result<Endpoints> endpoints(const std::string& choice) const override {
    if (choice == "configured") return parse_goproxy(settings_.proxy);
    if (choice.empty())
      return Endpoints{
          {{std::string(public_registry("go")->address), false}}, "the public registry", {}};
    auto checked = checked_address(choice, "--registry");
    if (!checked) return pass_on(checked.error());
    return Endpoints{{{*checked, false}}, "--registry", {}};
  }

  void screen(Module& module, bool ask_private) const override {
    if (!module.asked()) return;
    const auto& path = module.asked_path();
    if (path == "golang.org/toolchain") {
      module.kind = ModuleKind::toolchain;
      module.reason = "the Go toolchain, which comes with the Go installation";
    } else if (go::has_no_host(path)) {
      module.kind = ModuleKind::private_name;
      module.reason = "its name has no host, so no public registry can serve it";
    } else if (const auto fault = name_fault(module); !fault.empty()) {
      module.kind = ModuleKind::unresolved;
      module.reason = module.origin.empty() ? fault : fmt::format("{} ({})", fault, module.origin);
    } else if (const auto setting = private_by(path); !setting.empty() && !ask_private) {
      module.kind = ModuleKind::private_name;
      module.reason = fmt::format("private by your own configuration ({})", setting);
    }
  }

  Question existence(const Module& module) const override {
    return {"info", versioned(module, ".info"), kInfoLimit};
  }
  std::vector<Question> confirmations(const Module& module) const override {
    return {{"mod", versioned(module, ".mod"), kModLimit},
            {"zip", versioned(module, ".zip"), kInfoLimit, true}};
  }
  Question catalogue(const Module& module) const override {
    return {"list", address(module, "list"), kListLimit};
  }

  Judged judge(const Question& question, const Module& module,
               const Response& response) const override {
    const bool part = question.presence && response.status == 206 && response.failure.empty();
    const auto answer = part ? Answer::fetchable : answer_of(response);
    if (answer != Answer::fetchable) return {answer, describe(response)};
    if (question.what == "zip") return judge_zip(response);
    if (question.what == "info") return judge_info(module, response);
    if (question.what == "mod") return judge_mod(response);
    if (!read_list(response.body, "").usable)
      return {Answer::unknown, "the answer is no list of versions: " + describe(response)};
    return {Answer::fetchable, ""};
  }

  Publication publication(const Module& module, Answer existence,
                          const Response& catalogue) const override {
    if (existence == Answer::absent) return Publication::nothing;
    if (existence != Answer::fetchable) return Publication::unknown;
    const auto list = judge({"list", "", 0}, module, catalogue).answer;
    if (list == Answer::absent) return Publication::served_but_gone;
    if (list != Answer::fetchable) return Publication::unknown;
    const auto listed = read_list(catalogue.body, module.asked_version());
    switch (go::version_form(module.asked_version())) {
      case go::VersionForm::pseudo:
        return listed.any_release ? Publication::pseudo_version : Publication::no_release;
      case go::VersionForm::release:
        return listed.this_version ? Publication::release : Publication::served_but_gone;
      default:
        return listed.this_version ? Publication::prerelease : Publication::served_but_gone;
    }
  }

  // ".invalid" can be registered by nobody (RFC 6761, section 6.4), so no one can make this module
  // exist; a path below a real code host could be claimed by whoever reads this. The nonce keeps a
  // cached "not found" of an earlier run from answering in the registry's place.
  Module missing_module(const std::string& nonce) const override {
    return control_module(fmt::format("telltale-control-{}.invalid/absent", nonce), "v1.0.0");
  }

  // A release number that nobody tags, of the right major version: the registry has to look.
  Module missing_version(const Module& real, const std::string& nonce) const override {
    std::uint64_t number = 0;
    for (const char letter : nonce)
      number = (number * 31 + static_cast<unsigned char>(letter)) % 1'000'000'000;
    return control_module(
        real.asked_path(),
        fmt::format("{}.{}.{}", go::major_of(real.asked_path()), 1'000'000'000 + number, number));
  }

  Module well_known() const override {
    const auto* registry = public_registry("go");
    return control_module(std::string(registry->well_known_path),
                          std::string(registry->well_known_version));
  }

 private:
  static Module control_module(std::string path, std::string version) {
    Module module;
    module.ecosystem = "go";
    module.path = std::move(path);
    module.version = std::move(version);
    return module;
  }

  static std::string name_fault(const Module& module) {
    if (const auto fault = go::path_fault(module.asked_path()))
      return fmt::format("its path {}", *fault);
    if (const auto fault = go::version_fault(module.asked_path(), module.asked_version()))
      return *fault;
    return {};
  }

  // The setting that calls the path private, "" for none.
  [[nodiscard]] std::string private_by(const std::string& path) const {
    if (matches_patterns(settings_.no_proxy_patterns.text, path))
      return "GONOPROXY of " + settings_.no_proxy_patterns.from;
    if (matches_patterns(settings_.private_patterns.text, path))
      return "GOPRIVATE of " + settings_.private_patterns.from;
    return {};
  }

  GoSettings settings_;
};

}  // namespace

std::unique_ptr<Registry> make_go_proxy(const Settings& settings) {
  return std::make_unique<GoProxy>(settings);
}

}  // namespace telltale::sweep
