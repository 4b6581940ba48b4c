#include "sweep/readers/go_mod_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "sweep/readers/go_mod_syntax.hpp"
#include "sweep/text.hpp"

namespace telltale::sweep {

namespace {

class Builder {
 public:
  explicit Builder(const std::string& file) : file_(file) {}

  Result<> take(const GoModLine& line) {
    struct Verb {
      std::string_view name;
      Result<> (Builder::*take)(const GoModLine&);
    };
    static constexpr Verb kVerbs[] = {{"module", &Builder::module},
                                      {"go", &Builder::go},
                                      {"toolchain", &Builder::toolchain},
                                      {"require", &Builder::require},
                                      {"replace", &Builder::replace},
                                      {"exclude", &Builder::exclude},
                                      // These say nothing of what the program is built from.
                                      {"retract", &Builder::ignore},
                                      {"tool", &Builder::ignore},
                                      {"godebug", &Builder::ignore},
                                      {"ignore", &Builder::ignore}};
    for (const auto& verb : kVerbs)
      if (line.words[0] == verb.name) return (this->*verb.take)(line);
    return fault(
        line, fmt::format("unknown word \"{}\"", excerpt(line.words[0], 40)),
        "check that this is a go.mod; one written for a newer Go may need a newer telltale");
  }

  Result<GoModFile> finish() && {
    if (parsed_.module.empty())
      return fail(Fault::input, fmt::format("{} has no \"module\" line, so it is no go.mod", file_),
                  "give the go.mod of the main module");
    return std::move(parsed_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> fault(const GoModLine& line, std::string what,
                                            std::string fix = kTidyGoMod) const {
    return line_fault(file_, line.number, std::move(what), std::move(fix));
  }

  Result<> once(const GoModLine& line, std::string& value) {
    if (line.words.size() != 2)
      return fault(line, fmt::format("\"{}\" takes one word: the line is cut off or damaged",
                                     line.words[0]));
    if (!value.empty())
      return fault(line,
                   fmt::format("a second \"{}\" line: the file holds another one, or itself twice",
                               line.words[0]),
                   "keep one copy of the file");
    value = line.words[1];
    return {};
  }

  Result<> module(const GoModLine& line) { return once(line, parsed_.module); }
  Result<> go(const GoModLine& line) { return once(line, parsed_.go); }
  Result<> toolchain(const GoModLine& line) { return once(line, parsed_.toolchain); }
  Result<> ignore(const GoModLine&) { return {}; }

  Result<> require(const GoModLine& line) {
    if (line.words.size() != 3)
      return fault(line,
                   "\"require\" takes a module and a version: the line is cut off or damaged");
    const auto& [path, version] = std::pair(line.words[1], line.words[2]);
    for (const auto& earlier : parsed_.requirements)
      if (earlier.path == path)
        return fault(line, fmt::format("{} is required again, at {}; line {} requires {}", path,
                                       version, earlier.line, earlier.version));
    const bool indirect = line.comment == "indirect" || line.comment.starts_with("indirect;");
    parsed_.requirements.push_back({path, version, indirect, line.number});
    return {};
  }

  Result<> replace(const GoModLine& line) {
    const auto& words = line.words;
    const auto arrow = std::find(words.begin(), words.end(), "=>");
    const auto before = arrow - words.begin() - 1, after = words.end() - arrow - 1;
    if (arrow == words.end() || before < 1 || before > 2 || after < 1 || after > 2)
      return fault(line,
                   "\"replace\" takes a module, =>, and what replaces it: the line is cut off "
                   "or damaged");
    const auto version = before == 2 ? words[2] : "";
    const Replacement by{arrow[1], after == 2 ? arrow[2] : "", ""};
    if (after == 1 && !is_folder(by.path))
      return fault(line, fmt::format("{} replaces without a version, and is no folder", by.path));
    if (!parsed_.replacements.emplace(std::pair(words[1], version), by).second)
      return fault(line, fmt::format("{} is replaced a second time", words[1]));
    return {};
  }

  Result<> exclude(const GoModLine& line) {
    if (line.words.size() != 3)
      return fault(line,
                   "\"exclude\" takes a module and a version: the line is cut off or damaged");
    parsed_.exclusions.emplace(std::pair(line.words[1], line.words[2]), line.number);
    return {};
  }

  static bool is_folder(std::string_view path) {
    return path.starts_with("./") || path.starts_with("../") || path.starts_with("/") ||
           path == "." || path == "..";
  }

  const std::string& file_;
  GoModFile parsed_;
};

}  // namespace

std::optional<Replacement> GoModFile::replacement_of(const Requirement& required) const {
  for (const auto& version : {required.version, std::string()}) {
    const auto found = replacements.find({required.path, version});
    if (found != replacements.end()) return found->second;
  }
  return std::nullopt;
}

bool GoModFile::lists_every_module() const {
  int major = 0, minor = 0;
  if (std::sscanf(go.c_str(), "%d.%d", &major, &minor) < 1) return false;
  return major > 1 || minor >= 17;
}

Result<GoModFile> parse_go_mod(std::string_view text, const std::string& file) {
  auto lines = parse_go_mod_lines(text, file);
  if (!lines) return pass_on(lines.error());
  Builder builder(file);
  for (const auto& line : *lines)
    if (auto taken = builder.take(line); !taken) return pass_on(taken.error());
  return std::move(builder).finish();
}

}  // namespace telltale::sweep
