#include "sweep/module.hpp"

namespace telltale::sweep {

std::string_view name(ModuleKind kind) {
  switch (kind) {
    case ModuleKind::published:
      return "published";
    case ModuleKind::local:
      return "local";
    case ModuleKind::main:
      return "main";
    case ModuleKind::private_name:
      return "private";
    case ModuleKind::toolchain:
      return "toolchain";
    case ModuleKind::graph_only:
      return "graph only";
    case ModuleKind::unresolved:
      return "unresolved";
  }
  return "unknown";
}

void Module::is(ModuleKind what, std::string why) {
  kind = what;
  reason = std::move(why);
}

const std::string& Module::asked_path() const {
  return replaced_by ? replaced_by->path : path;
}

const std::string& Module::asked_version() const {
  return replaced_by ? replaced_by->version : version;
}

const std::string& Module::asked_sum() const {
  return replaced_by ? replaced_by->sum : sum;
}

namespace {
std::string joined(const std::string& path, const std::string& version) {
  return version.empty() ? path : path + "@" + version;
}
}  // namespace

std::string Module::label() const {
  if (!replaced_by) return key();
  return key() + " => " + joined(replaced_by->path, replaced_by->version);
}

std::string Module::key() const {
  return joined(path, version);
}

bool is_development_version(std::string_view version) {
  if (version.empty() || version == "(devel)") return true;
  const auto plus = version.find('+');
  return plus != std::string_view::npos &&
         version.substr(plus).find("dirty") != std::string_view::npos;
}

}  // namespace telltale::sweep
