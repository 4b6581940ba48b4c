// Module paths and versions as Go defines them (the Go modules reference: "Module paths",
// "Versions", "Pseudo-versions", "Module proxy protocol"; golang.org/x/mod/module has the rules).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace telltale::sweep::go {

// Why Go rejects the path, one clause ("has a capital letter in its host"); nothing when it is
// valid. Covers characters, empty and dotted elements, file names that Windows reserves, the host
// (lower case, with a dot) and the major version suffix.
[[nodiscard]] std::optional<std::string> path_fault(std::string_view path);

// Why `version` is not one that can be asked of `path`: not canonical, or of another major version.
[[nodiscard]] std::optional<std::string> version_fault(std::string_view path,
                                                       std::string_view version);

// The first path element has no dot: no registry serves it.
[[nodiscard]] bool has_no_host(std::string_view path);

// A path or version as it stands in a URL: every capital letter as its small one with a bang
// before it, the bang as %21, which is what the go command sends (servers take "!" as well).
// The text must have passed path_fault or version_fault.
[[nodiscard]] std::string escape(std::string_view text);

enum class VersionForm { release, prerelease, pseudo, invalid };
// Of a canonical version; "+incompatible" is looked through.
[[nodiscard]] VersionForm version_form(std::string_view version);

// "v3" for a path whose versions must start with it; "v0" where v0 and v1 are both right.
[[nodiscard]] std::string major_of(std::string_view path);

}  // namespace telltale::sweep::go
