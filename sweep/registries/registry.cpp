#include "sweep/registries/registry.hpp"

#include <cstdlib>

#include "sweep/registries/go_proxy.hpp"

namespace telltale::sweep {

std::string_view name(Publication publication) {
  switch (publication) {
    case Publication::release:
      return "release";
    case Publication::prerelease:
      return "pre-release";
    case Publication::pseudo_version:
      return "pseudo-version";
    case Publication::no_release:
      return "pseudo-version, no release";
    case Publication::served_but_gone:
      return "served but gone";
    case Publication::nothing:
      return "nothing";
    case Publication::unknown:
      return "unknown";
  }
  return "unknown";
}

Settings settings_of_this_process() {
  return {[](const char* name) -> const char* { return std::getenv(name); }};
}

std::unique_ptr<Registry> make_registry(std::string_view ecosystem, const Settings& settings) {
  if (ecosystem == "go") return make_go_proxy(settings);
  return nullptr;
}

}  // namespace telltale::sweep
