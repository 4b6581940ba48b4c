#include "subject/specification.hpp"

#include <fmt/core.h>

#include "subject/specification/sections.hpp"
#include "subject/specification/steps.hpp"
#include "subject/specification/text_file.hpp"
#include "subject/specification/yaml.hpp"

namespace telltale::subject {

namespace {

constexpr const char* kStartWith =
    "begin with version: 1 and subject: { name: ... }; README.md explains every key";

// What is no map has no keys to complain about; say what it is instead.
std::optional<Mistake> not_a_specification(const Node& root) {
  if (root.kind == Node::Kind::map) return std::nullopt;
  if (root.kind == Node::Kind::null) return Mistake{{1, 1}, "the file is empty", kStartWith};
  if (root.kind == Node::Kind::scalar && root.text.rfind('<', 0) == 0)
    return Mistake{root.place, "this is HTML or XML, not YAML", kStartWith};
  return Mistake{root.place, "the file is not a map of keys", kStartWith};
}

// Comes first: a later version may have other keys, and none of them is a mistake of the user's.
std::optional<Mistake> unknown_version(const Node& root) {
  const auto* version = root.find("version");
  if (version == nullptr) return Mistake{root.place, "the file has no 'version'", "add version: 1"};
  if (version->value->text == "1" && !version->value->quoted) return std::nullopt;
  return Mistake{
      version->value->place,
      fmt::format("version '{}' is not known; this tool reads version 1", version->value->text),
      "write version: 1, or use a newer telltale"};
}

void require_command(const Section& file, const Specification& specification) {
  const bool starts = file.has("doors") || file.has("egress") || file.has("cipher");
  if (!starts || !specification.command.empty()) return;
  const auto subject = file.at("subject");
  if (subject && subject->node().find("command") == nullptr)
    subject->bad_reference("subject has no 'command', and doors, egress and cipher start it",
                           "add command: [\"${binary}\", serve]");
}

void require_readiness(const Section& file, const Specification& specification) {
  if (specification.ready.kind != Readiness::Kind::none) return;
  const auto subject = file.at("subject");
  if (!subject || subject->node().find("ready") != nullptr) return;
  const auto* step = first_that_connects(specification.doors);
  if (step == nullptr && specification.cipher)
    step = first_that_connects(specification.cipher->write);
  if (step == nullptr && specification.cipher)
    step = first_that_connects(specification.cipher->read);
  if (step != nullptr)
    subject->bad_reference(
        fmt::format("subject has no 'ready', and '{}' ({}:{}) connects to it", step->name,
                    step->where.line, step->where.column),
        "add ready: { http: \"http://127.0.0.1:${port.NAME}/healthz\" }, or tcp, "
        "unix, exec, notify");
}

void read_all(const Node& root, Mistakes& mistakes, Specification& specification) {
  Scope none;
  const Section file(View(root, "", none, mistakes), {"file"});
  auto names = read_names(file);
  read_subject(file, names, specification);
  read_doors(file, names, specification);
  read_phases(file, names, specification);
  read_waivers(file, names, specification);
  read_egress(file, names, specification);
  read_self(file, names, specification);
  read_cipher(file, names, specification);
  require_command(file, specification);
  require_readiness(file, specification);
}

}  // namespace

Result<Specification> load_specification(const std::filesystem::path& file) {
  const auto name = file.string();
  const auto text = read_text_file(file);
  if (!text) return pass_on(text.error());
  const auto tree = parse_yaml(*text);
  if (!tree) return pass_on(error_at(name, tree.error()));
  const auto& root = **tree;
  if (const auto mistake = not_a_specification(root)) return pass_on(error_at(name, *mistake));
  if (const auto mistake = unknown_version(root)) return pass_on(error_at(name, *mistake));

  Specification specification;
  specification.file = std::filesystem::absolute(file).lexically_normal();
  specification.folder = specification.file.parent_path();
  Mistakes mistakes;
  read_all(root, mistakes, specification);
  if (!mistakes.none()) return pass_on(mistakes.first(name));
  return specification;
}

}  // namespace telltale::subject
