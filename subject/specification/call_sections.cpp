// `doors:`, `phases:` and `waive:`.
#include "subject/specification/sections.hpp"
#include "subject/specification/steps.hpp"
#include "subject/specification/values.hpp"

namespace telltale::subject {

void read_doors(const Section& file, const Names& names, Specification& specification) {
  auto captured = names.setup;
  specification.doors = read_steps(file, {"doors", "door"}, names.launch, names, captured);
}

void read_phases(const Section& file, const Names& names, Specification& specification) {
  const auto view = file.at("phases");
  if (!view) return;
  if (!view->is(Node::Kind::map)) {
    view->wrong_type("a map", "write { name: { env: ... } }");
    return;
  }
  for (const auto& entry : view->node().entries) {
    if (!is_name(entry.key))
      view->mistakes().add({entry.place, "'" + entry.key + "' cannot be the name of a phase",
                            "a letter, then letters, digits, _ or -"});
    specification.phases[entry.key] =
        read_difference(view->child(*entry.value, entry.key), names, false);
  }
}

void read_waivers(const Section& file, const Names& names, Specification& specification) {
  for (const auto& view : file.items("waive"))
    specification.waive.push_back(read_waiver(view, names, "waiver", "what"));
}

}  // namespace telltale::subject
