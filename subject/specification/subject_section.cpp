// `subject:`: the program, how it starts, is ready and stops.
#include <fmt/core.h>

#include "evidence/suggest.hpp"
#include "subject/specification/sections.hpp"
#include "subject/specification/steps.hpp"

namespace telltale::subject {

namespace {

std::filesystem::path absolute_from(const std::filesystem::path& folder, const std::string& path) {
  const auto normal = (folder / path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();  // "." leaves a slash at the end
}

// It names the evidence folder too.
void read_name(const Section& section, const Names& names, std::string& name) {
  section.take("name", names.none, &View::filled, name);
  if (name.find_first_of("/\n") == std::string::npos && name != "." && name != "..") return;
  section.at("name")->mistake(fmt::format("subject.name cannot name a folder: '{}'", name),
                              "no slash and no line break in it");
}

void read_program(const Section& section, const Names& names, Specification& specification) {
  std::string source;
  section.take("source", names.none, &View::filled, source);
  if (!source.empty()) specification.source = absolute_from(specification.folder, source);
  std::string binary;
  section.take("binary", names.none, &View::filled, binary);
  if (!binary.empty()) specification.binary = absolute_from(specification.folder, binary);
  const auto build = section.at("build");
  if (!build) return;
  specification.build = read_build(*build, names);
  if (!section.has("source"))
    build->mistake("subject.build needs subject.source", "add source: . (the folder to build in)");
  if (section.has("binary"))
    section.at("binary")->mistake("subject.binary and subject.build both name the program",
                                  "keep build.output, or remove build");
  specification.binary = absolute_from(specification.source, specification.build->output);
}

void read_home(const Section& section, Home& home) {
  std::string text = "fresh";
  section.take("home", &View::text, text);
  home = text == "overlay" ? Home::overlay : Home::fresh;
  if (text != "fresh" && text != "overlay")
    section.at("home")->mistake(fmt::format("subject.home is '{}'{}", text,
                                            evidence::did_you_mean(text, {"fresh", "overlay"})),
                                "write fresh or overlay");
}

}  // namespace

void read_subject(const Section& file, Names& names, Specification& specification) {
  const auto view = file.at("subject", names.launch);
  if (!view) return;
  const Section section(*view, {"subject"});
  read_name(section, names, specification.name);
  read_program(section, names, specification);
  section.take("user", names.none, &View::filled, specification.user);
  specification.setup = read_steps(section, {"setup", "setup"}, names.launch, names, names.setup);
  section.take("command", &View::argv, specification.command);
  read_environment(section, specification.env, specification.secrets);
  read_files(section, specification.files);
  read_home(section, specification.home);
  specification.ports = names.ports;
  if (const auto ready = section.at("ready")) read_ready(*ready, names, specification.ready);
  if (const auto stop = section.at("stop")) read_stop(*stop, names, specification.stop);
}

}  // namespace telltale::subject
