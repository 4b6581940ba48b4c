// What the lines of a go.mod say, before anything is concluded from them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"
#include "sweep/module.hpp"

namespace telltale::sweep {

struct GoModFile {
  struct Requirement {
    std::string path, version;
    bool indirect = false;
    int line = 0;
  };
  std::string module;     // the main module
  std::string go;         // "1.21", "1.22.3"; empty: no such line, which means 1.16
  std::string toolchain;  // "go1.22.3"
  std::vector<Requirement> requirements;
  // By path and version; the version is empty where every version is replaced.
  std::map<std::pair<std::string, std::string>, Replacement> replacements;
  std::map<std::pair<std::string, std::string>, int> exclusions;

  [[nodiscard]] std::optional<Replacement> replacement_of(const Requirement& required) const;
  // From 1.17 on go.mod lists every module that gives an imported package.
  [[nodiscard]] bool lists_every_module() const;
};

// Fault::input with file:line: a line that cannot be read, a second `module` line (the file twice
// in one), a module required or replaced twice, no `module` line, an unknown verb.
[[nodiscard]] Result<GoModFile> parse_go_mod(std::string_view text, const std::string& file);

}  // namespace telltale::sweep
