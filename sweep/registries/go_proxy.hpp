// The Go module proxy protocol (the Go modules reference, "GOPROXY protocol").
//
// Theory of operation. `$base/$module/@v/$version.info` decides whether a version is served: its
// JSON must name that same version. `.mod` is asked after it; a proxy makes one up for a module
// that has none, so it alone would prove nothing. `list` names the released versions: one that is
// served and not listed may be gone from its repository. 404 and 410 mean "not available here";
// every other answer than 200 and these is no statement about the module. `@latest` is optional in
// the protocol, and some proxies deny it for modules that they serve, so it is never asked.
#pragma once

#include <memory>

#include "sweep/registries/registry.hpp"

namespace telltale::sweep {

[[nodiscard]] std::unique_ptr<Registry> make_go_proxy(const Settings& settings);

}  // namespace telltale::sweep
