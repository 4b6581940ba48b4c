// What the user's Go configuration says, read as the go command reads it and without running it:
// the environment first, then the file that `go env -w` writes ($GOENV, or go/env in the user's
// configuration folder). Defaults that a distribution compiled into its GOROOT are not seen.
//
// Only names are taken from here: which proxies, and which modules are private. Never a credential.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"
#include "sweep/registries/registry.hpp"

namespace telltale::sweep {

struct GoSettings {
  struct Value {
    std::string text;
    std::string from;  // "the environment", or the file; empty: not set
  };
  Value proxy;              // GOPROXY
  Value private_patterns;   // GOPRIVATE
  Value no_proxy_patterns;  // GONOPROXY; where it is not set GOPRIVATE stands for it
};

[[nodiscard]] GoSettings read_go_settings(const Settings& settings);

// GOPROXY's syntax: `,` goes on when a proxy says "absent", `|` on any error; nothing after
// `direct` or `off` is read. Neither of the two is ever followed. Fault::input: no proxy is named,
// a file:// address, one with a credential in it.
[[nodiscard]] Result<Endpoints> parse_goproxy(const GoSettings::Value& proxy);

// A pattern of GOPRIVATE matches a module when it matches a prefix of its path elements:
// "*.corp.example,git.example/team".
[[nodiscard]] bool matches_patterns(std::string_view patterns, std::string_view path);

}  // namespace telltale::sweep
