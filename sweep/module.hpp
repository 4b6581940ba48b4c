// A module that a program is built from, as one lockfile or binary names it.
//
// Nothing is guessed: what the source does not say stays empty, and whatever is not asked of a
// registry carries its reason, so that asked + skipped + unknown = parsed always holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::sweep {

enum class ModuleKind {
  published,     // to be asked of a registry, itself or what replaces it
  local,         // replaced by a folder of the machine that built it: no registry can serve it
  main,          // the program's own module, built from a checkout and not downloaded
  private_name,  // the user's own settings, or its name, say that no public registry serves it
  toolchain,     // the compiler and standard library, which come with the Go installation
  graph_only,    // only its go.mod was read, to choose versions; nothing of it is built
  unresolved     // the version is not one that can be asked ("master", excluded by the main module)
};

// "published", "local", ...: as modules.jsonl and the rows say it.
[[nodiscard]] std::string_view name(ModuleKind kind);

struct Replacement {
  std::string path;     // a module path, or a folder when `version` is empty
  std::string version;  // empty: a folder
  std::string sum;      // "h1:...", empty: not recorded
};

struct Module {
  std::string ecosystem;  // "go"
  std::string path;       // as written, not escaped
  std::string version;    // as written; "(devel)" has no version to ask
  std::string sum;        // "h1:...", empty: not recorded
  std::optional<Replacement> replaced_by;
  bool indirect = false;  // needed by another module only; false where the source cannot tell
  std::string origin;     // where it was read: "go.mod:12", "build information"

  ModuleKind kind = ModuleKind::published;
  std::string reason;  // why it is not asked, one clause; empty for `published`

  void is(ModuleKind what, std::string why);
  [[nodiscard]] bool asked() const { return kind == ModuleKind::published; }
  // The path, version and sum that a registry is asked about: the replacement's where there is one.
  [[nodiscard]] const std::string& asked_path() const;
  [[nodiscard]] const std::string& asked_version() const;
  [[nodiscard]] const std::string& asked_sum() const;
  // "notes.example/widget@v1.2.0", or "a@v1 => b@v2" when replaced.
  [[nodiscard]] std::string label() const;
  // "notes.example/widget@v1.2.0": without the replacement, as `waive:` names it after "module:".
  [[nodiscard]] std::string key() const;
};

// A version that names nothing downloadable: empty, "(devel)", or stamped "+dirty".
[[nodiscard]] bool is_development_version(std::string_view version);

}  // namespace telltale::sweep
