// What a Go program says of itself. Its `dep` lines are the modules that gave packages to this very
// binary, for its platform and tags, so they are the needed set: go.mod lists more, go.sum more
// still. Lines are tab-separated: `path`, `mod` (the main module), `dep`, `=>` (what replaces the
// line before) and `build` (settings). Only ELF is read; macOS and Windows programs are named.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "sweep/readers/go_build_information.hpp"
#include "sweep/readers/go_readers.hpp"
#include "sweep/text.hpp"

namespace telltale::sweep {

namespace {

constexpr std::string_view kToolchain = "golang.org/toolchain";
// ELF; Windows; macOS. The last two are recognised to be refused by name.
constexpr const char* kPrograms[] = {"\x7f\x45\x4c\x46", "MZ", "\xcf\xfa\xed\xfe",
                                     "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"};

tl::unexpected<Error> damaged(const std::string& file, std::size_t line, std::string_view what) {
  return fail(Fault::input,
              fmt::format("{}: line {} of the Go build information {}", file, line, what),
              "copy or build the program again, or give its go.mod with -L");
}

Module from_columns(const std::vector<std::string>& columns) {
  Module module;
  module.ecosystem = "go";
  module.path = columns[1];
  module.version = columns.size() > 2 ? columns[2] : "";
  module.sum = columns.size() > 3 ? columns[3] : "";
  module.origin = "build information";
  return module;
}

void classify_main(Module& module) {
  if (is_development_version(module.version))
    module.is(ModuleKind::main, "the program's own module, built from a checkout");
  else if (module.sum.empty())  // `go install module@version` records one; a checkout has none
    module.is(ModuleKind::main,
              fmt::format("the program's own module, built from a checkout at {}", module.version));
}

void classify_dependency(Module& module) {
  if (module.path == kToolchain)
    module.is(ModuleKind::toolchain, "the Go toolchain, which comes with the Go installation");
  else if (module.replaced_by && is_development_version(module.replaced_by->version))
    module.is(ModuleKind::local,
              fmt::format("replaced by the folder {} of the machine that built it",
                          module.replaced_by->path));
  else if (!module.replaced_by && is_development_version(module.version))
    module.is(ModuleKind::local, "built from a folder of the machine that built it");
}

class Lines {
 public:
  Lines(std::string file, Reading& reading) : file_(std::move(file)), reading_(reading) {}

  Result<> take(const std::string& line, std::size_t number) {
    if (!is_printable(line)) return damaged(file_, number, "holds control characters");
    const auto columns = split(line, '\t');
    const auto& word = columns[0];
    if (word == "=>") return replace(columns, number);
    if (word != "mod" && word != "dep") return {};
    if (columns.size() < 3 || columns.size() > 4 || columns[1].empty())
      return damaged(file_, number, fmt::format("is no module line: \"{}\"", excerpt(line)));
    if (word == "mod" && main_) return damaged(file_, number, "names a second main module");
    main_ = main_ || word == "mod";
    is_main_.push_back(word == "mod");
    reading_.modules.push_back(from_columns(columns));
    return {};
  }

  void classify() {
    for (std::size_t i = 0; i < reading_.modules.size(); ++i)
      is_main_[i] ? classify_main(reading_.modules[i]) : classify_dependency(reading_.modules[i]);
  }

 private:
  Result<> replace(const std::vector<std::string>& columns, std::size_t number) {
    if (reading_.modules.empty() || reading_.modules.back().replaced_by || columns.size() < 2)
      return damaged(file_, number, "replaces nothing");
    const auto by = from_columns(columns);
    reading_.modules.back().replaced_by = Replacement{by.path, by.version, by.sum};
    return {};
  }

  std::string file_;
  Reading& reading_;
  bool main_ = false;
  std::vector<bool> is_main_;
};

class GoBinaryReader final : public Reader {
 public:
  std::string_view name() const override { return "binary"; }
  std::string_view description() const override {
    return "a Go program for Linux, with its build information";
  }

  bool recognises(const std::filesystem::path&, std::string_view first_bytes) const override {
    return std::any_of(std::begin(kPrograms), std::end(kPrograms),
                       [&](const char* magic) { return first_bytes.starts_with(magic); });
  }

  Result<Reading> read(const std::filesystem::path& file) const override {
    auto elf = ElfFile::open(file);
    if (!elf) return pass_on(elf.error());
    auto information = read_go_build_information(*elf, file.string());
    if (!information) return pass_on(information.error());
    Reading reading;
    reading.source = fmt::format("the build information of {}", file.filename().string());
    reading.ecosystem = "go";
    reading.claim = "it is built from";
    reading.facts = {{"built with", excerpt(information->go_version)}};
    Lines lines(file.string(), reading);
    std::size_t number = 0;
    for (const auto& line : split(information->modules, '\n'))
      if (auto taken = lines.take(line, ++number); !taken) return pass_on(taken.error());
    lines.classify();
    return reading;
  }
};

}  // namespace

const Reader& go_binary_reader() {
  static const GoBinaryReader reader;
  return reader;
}

}  // namespace telltale::sweep
