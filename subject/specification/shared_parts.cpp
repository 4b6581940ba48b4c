// Parts that several sections have: differences, builds, waivers, environment, files.
#include <fmt/core.h>

#include <filesystem>
#include <string_view>

#include "subject/specification/sections.hpp"

namespace telltale::subject {

namespace {

constexpr std::string_view kNotInNames("= \t\0", 4);

void check_variables(const View& map) {
  for (const auto& entry : map.node().entries) {
    (void)map.child(*entry.value, entry.key).c_text();
    if (entry.key.find_first_of(kNotInNames) != std::string::npos)
      map.mistakes().add({entry.place,
                          fmt::format("'{}' cannot be the name of a variable", entry.key),
                          "no '=' and no spaces in it"});
  }
}

// Whether a name, followed from ${work}, stays in it.
bool stays_below(const std::string& name) {
  const std::filesystem::path path(name);
  if (path.is_absolute()) return false;
  const auto normal = path.lexically_normal();
  return !normal.empty() && normal != "." && *normal.begin() != ".." && normal.has_filename();
}

}  // namespace

void read_environment(const Section& section, Pairs& env, Pairs& secrets) {
  section.take("env", &View::pairs, env);
  section.take("secrets", &View::pairs, secrets);
  for (const auto* key : {"env", "secrets"})
    if (const auto map = section.at(key)) check_variables(*map);
  const auto secret_map = section.at("secrets");
  if (!secret_map) return;
  for (const auto& [name, value] : env)
    if (const auto* entry = secret_map->node().find(name))
      secret_map->mistakes().add({entry->place, fmt::format("'{}' is in env too", name),
                                  "keep it in secrets, where it is masked"});
}

void read_files(const Section& section, Pairs& files) {
  section.take("files", &View::pairs, files);
  const auto map = section.at("files");
  if (!map) return;
  for (const auto& entry : map->node().entries)
    if (!stays_below(entry.key))
      map->mistakes().add({entry.place, fmt::format("'{}' is no name below ${{work}}", entry.key),
                           "files are written into ${work} only: config.toml, etc/config.toml"});
}

Difference read_difference(const View& view, const Names& names, bool may_decrypt) {
  const auto scoped = view.in(names.launch);
  const auto section =
      may_decrypt ? Section(scoped, {"difference", "decrypt"}) : Section(scoped, {"difference"});
  Difference difference;
  section.take("command", &View::argv, difference.command);
  read_environment(section, difference.env, difference.secrets);
  read_files(section, difference.files);
  if (view.is(Node::Kind::map) && view.node().entries.empty())
    view.mistake(fmt::format("{} changes nothing", view.path()),
                 "say what differs: command, env, secrets or files");
  if (!may_decrypt) return difference;
  const auto decrypt_scope = names.launch.with_canaries();
  section.take("decrypt", decrypt_scope, &View::argv, difference.decrypt);
  return difference;
}

Build read_build(const View& view, const Names& names) {
  const Section section(view, {"build"});
  Build build;
  section.take("command", names.build, &View::argv, build.command);
  std::string output;
  section.take("output", names.none, &View::filled, output);
  build.output = output;
  return build;
}

WaiverEntry read_waiver(const View& view, const Names& names, std::string_view shape,
                        std::string_view what_key) {
  const Section section(view, {shape});
  WaiverEntry waiver;
  waiver.where = view.place();
  section.take(what_key, names.launch, &View::filled, waiver.what);
  section.take("reason", names.none, &View::filled, waiver.reason);
  section.take("until", &View::date, waiver.until);
  return waiver;
}

}  // namespace telltale::subject
