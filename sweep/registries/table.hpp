// The public registries: the one place in this code that names their hosts. `--registry` and
// `--registry configured` override them.
#pragma once

#include <string_view>

namespace telltale::sweep {

struct PublicRegistry {
  std::string_view ecosystem;
  std::string_view address;
  // A module that has been there for years and that very many programs need: asking for it says
  // nothing of the subject, and only a registry that serves nothing lacks it.
  std::string_view well_known_path;
  std::string_view well_known_version;
};

inline constexpr PublicRegistry kPublicRegistries[] = {
    {"go", "https://proxy.golang.org", "golang.org/x/text", "v0.3.0"},
};

// nullptr when there is none.
constexpr const PublicRegistry* public_registry(std::string_view ecosystem) {
  for (const auto& registry : kPublicRegistries)
    if (registry.ecosystem == ecosystem) return &registry;
  return nullptr;
}

}  // namespace telltale::sweep
