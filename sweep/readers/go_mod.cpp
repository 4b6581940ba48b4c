// go.mod, with the hashes of the go.sum beside it. It is the weaker source: it lists what the main
// module's packages and tests import on every platform, not what went into one binary. `replace`
// and `exclude` count, because this is the main module; a replacement without a requirement does
// nothing. Before Go 1.17 it names direct requirements only, and the list is incomplete.
#include <fmt/core.h>

#include "sweep/readers/go_mod_file.hpp"
#include "sweep/readers/go_readers.hpp"
#include "sweep/readers/go_sum_lines.hpp"
#include "sweep/text.hpp"

namespace telltale::sweep {

namespace {

constexpr std::size_t kMostGoMod = 16 << 20;  // what the go command accepts
constexpr std::size_t kMostSums = 64 << 20;

void classify(Module& module, const GoModFile& file) {
  const auto excluded = file.exclusions.find({module.path, module.version});
  if (module.replaced_by && module.replaced_by->version.empty())
    module.is(ModuleKind::local,
              fmt::format("replaced by the folder {}", module.replaced_by->path));
  else if (excluded != file.exclusions.end())
    module.is(ModuleKind::unresolved,
              fmt::format("required, and excluded on line {}: the go command takes another version",
                          excluded->second));
}

Module required_module(const GoModFile::Requirement& required, const GoModFile& file,
                       const std::string& name) {
  Module module;
  module.ecosystem = "go";
  module.path = required.path;
  module.version = required.version;
  module.indirect = required.indirect;
  module.origin = fmt::format("{}:{}", name, required.line);
  module.replaced_by = file.replacement_of(required);
  classify(module, file);
  return module;
}

Module toolchain_module(const GoModFile& file) {
  Module module;
  module.ecosystem = "go";
  module.path = "golang.org/toolchain";
  module.version = file.toolchain;
  module.is(ModuleKind::toolchain, "the Go toolchain, which comes with the Go installation");
  return module;
}

Module main_module(const GoModFile& file) {
  Module module;
  module.ecosystem = "go";
  module.path = file.module;
  module.is(ModuleKind::main, "the main module, whose go.mod this is");
  return module;
}

void add_sums(std::vector<Module>& modules, const GoSums& sums) {
  for (auto& module : modules) {
    const auto found = sums.entries.find({module.asked_path(), module.asked_version()});
    if (found == sums.entries.end()) continue;
    (module.replaced_by ? module.replaced_by->sum : module.sum) = found->second.zip;
  }
}

class GoModReader final : public Reader {
 public:
  std::string_view name() const override { return "go.mod"; }
  std::string_view description() const override { return "go.mod"; }

  bool recognises(const std::filesystem::path& file, std::string_view first_bytes) const override {
    if (file.filename() == "go.mod") return true;
    for (const auto& line : split(first_bytes, '\n')) {
      const auto words = trim(line);
      if (words.empty() || words.starts_with("//")) continue;
      return words.starts_with("module ") || words.starts_with("module\t");
    }
    return false;
  }

  Result<Reading> read(const std::filesystem::path& file) const override {
    auto text = read_text(file, kMostGoMod);
    if (!text) return pass_on(text.error());
    auto parsed = parse_go_mod(*text, file.string());
    if (!parsed) return pass_on(parsed.error());
    auto reading = interpret(*parsed, file.filename().string());
    const auto sums_file = file.parent_path() / "go.sum";
    if (std::error_code none; !std::filesystem::exists(sums_file, none)) {
      reading.limits.emplace_back("there is no go.sum beside the go.mod, so no hash is known");
      return reading;
    }
    auto sums_text = read_text(sums_file, kMostSums);
    if (!sums_text) return pass_on(sums_text.error());
    auto sums = parse_go_sum(*sums_text, sums_file.string());
    if (!sums) return pass_on(sums.error());
    add_sums(reading.modules, *sums);
    return reading;
  }

 private:
  static Reading interpret(const GoModFile& parsed, const std::string& name) {
    Reading reading;
    reading.source = name;
    reading.ecosystem = "go";
    reading.claim = "go.mod requires";
    reading.weaker = true;
    reading.facts = {{"main module", parsed.module}};
    if (!parsed.go.empty()) reading.facts.emplace_back("go line", parsed.go);
    reading.limits = {
        "go.mod lists what the source and its tests may import on any platform; the program's own "
        "build information, where there is a program, says what went into it"};
    if (!parsed.lists_every_module())
      reading.incomplete = fmt::format(
          "{} is of a Go before 1.17 and lists direct requirements only, so modules are missing",
          name);
    reading.modules.push_back(main_module(parsed));
    if (!parsed.toolchain.empty()) reading.modules.push_back(toolchain_module(parsed));
    for (const auto& required : parsed.requirements)
      reading.modules.push_back(required_module(required, parsed, name));
    return reading;
  }
};

}  // namespace

const Reader& go_mod_reader() {
  static const GoModReader reader;
  return reader;
}

}  // namespace telltale::sweep
