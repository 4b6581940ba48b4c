// `cipher:`.
#include <fmt/core.h>

#include <set>
#include <utility>

#include "subject/specification/sections.hpp"
#include "subject/specification/steps.hpp"
#include "subject/variables.hpp"

namespace telltale::subject {

namespace {

void read_data(const Section& section, const Names& names, std::vector<std::string>& data) {
  data = {"${data}"};
  const auto view = section.at("data", names.launch);
  if (!view) return;
  data.clear();
  for (const auto& item : view->list().value_or(std::vector<View>()))
    if (auto path = item.filled()) data.push_back(std::move(*path));
  if (view->is(Node::Kind::list) && view->node().items.empty())
    view->mistake("cipher.data is an empty list", "name the folders to search: [\"${data}\"]");
}

Variant read_variant(const View& view, const Names& names, const std::filesystem::path& folder) {
  const Section section(view, {"variant"});
  Variant variant;
  variant.where = view.place();
  section.take("name", names.none, &View::filled, variant.name);
  (void)section.one_of({"binary", "build"});
  std::string binary;
  section.take("binary", names.none, &View::filled, binary);
  if (!binary.empty()) variant.binary = (folder / binary).lexically_normal();
  if (const auto build = section.at("build")) variant.build = read_build(*build, names);
  return variant;
}

void read_variants(const Section& section, const Names& names, const Specification& specification,
                   std::vector<Variant>& builds) {
  std::set<std::string> seen;
  for (const auto& view : section.items("builds")) {
    auto variant = read_variant(view, names, specification.folder);
    if (!variant.name.empty() && !seen.insert(variant.name).second)
      view.mistake(fmt::format("the variant '{}' is given twice", variant.name),
                   "give each its own name");
    if (variant.build && specification.source.empty())
      view.mistake(fmt::format("{}.build needs subject.source", view.path()),
                   "add source: . to subject (the folder to build in)");
    builds.push_back(std::move(variant));
  }
}

using Uses = std::vector<std::pair<int, Place>>;

// Every canary that a text below this node names; 0 for a misnumbered one, which is told elsewhere.
void add_canaries(const Node& node, Uses& uses) {
  for (const auto& name : names_in(node.text))
    if (name.rfind("canary.", 0) == 0) uses.emplace_back(canary_number(name), node.place);
  for (const auto& item : node.items) add_canaries(*item, uses);
  for (const auto& entry : node.entries) add_canaries(*entry.value, uses);
}

Uses canaries_of(const Section& section, std::string_view key) {
  Uses uses;
  if (const auto* entry = section.view().node().find(key)) add_canaries(*entry->value, uses);
  return uses;
}

// The highest canary that is written. A search for what was never written finds nothing, whatever
// the store does.
int check_canaries(const Section& section) {
  std::set<int> written;
  for (const auto& [number, place] : canaries_of(section, "write")) written.insert(number);
  if (written.empty() && section.has("write"))
    section.view().mistakes().add_reference(
        {section.place_of("write"), "cipher.write writes no canary",
         "put ${canary.1} where a step writes what must not be readable"});
  for (const auto& [number, place] : canaries_of(section, "read"))
    if (number > 0 && written.count(number) == 0)
      section.view().mistakes().add_reference(
          {place,
           fmt::format("${{canary.{}}} is read, but no step of cipher.write writes it", number),
           "write it, or read another"});
  return written.empty() ? 0 : *written.rbegin();
}

}  // namespace

void read_cipher(const Section& file, const Names& names, Specification& specification) {
  const auto view = file.at("cipher");
  if (!view) return;
  const Section section(*view, {"cipher"});
  CipherSettings cipher;
  read_data(section, names, cipher.data);
  const auto scope = names.launch.with_canaries();
  auto captured = names.setup;
  cipher.write = read_steps(section, {"write", "step"}, scope, names, captured);
  cipher.read = read_steps(section, {"read", "step"}, scope, names, captured);
  if (const auto keyed = section.at("keyed")) cipher.keyed = read_difference(*keyed, names, false);
  if (const auto control = section.at("control"))
    cipher.control = read_difference(*control, names, true);
  read_variants(section, names, specification, cipher.builds);
  cipher.canaries = check_canaries(section);
  specification.cipher = std::move(cipher);
}

}  // namespace telltale::subject
