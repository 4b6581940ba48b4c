#include "subject/specification/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/suggest.hpp"
#include "subject/specification/values.hpp"

namespace telltale::subject {

namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::vector<std::string> read_ports(const View& ports) {
  std::vector<std::string> names;
  for (const auto& item : ports.list().value_or(std::vector<View>())) {
    const auto name = item.name();
    if (!name) continue;
    if (contains(names, *name))
      item.mistake(fmt::format("the port '{}' is listed twice", *name), "keep one of them");
    names.push_back(*name);
  }
  return names;
}

bool given(const Node* map, std::string_view key) {
  return map != nullptr && map->find(key) != nullptr;
}

}  // namespace

Names read_names(const Section& file) {
  Names names;
  const auto* subject_entry = file.view().node().find("subject");
  const auto* subject = subject_entry == nullptr ? nullptr : subject_entry->value.get();
  std::vector<std::string> launch = {"work", "data", "home", "tmp", "key"};
  if (given(subject, "source")) launch.emplace_back("source");
  if (given(subject, "binary") || given(subject, "build")) launch.emplace_back("binary");
  if (given(subject, "ports")) {
    const auto view = file.view().child(*subject, "subject");
    names.ports = read_ports(view.child(*subject->find("ports")->value, "ports"));
  }
  for (const auto& port : names.ports) launch.push_back("port." + port);
  if (const auto* phases = file.view().node().find("phases"))
    for (const auto& entry : phases->value->entries) names.phases.push_back(entry.key);
  names.build = Scope({"source"});
  names.launch = Scope(std::move(launch));
  return names;
}

std::optional<std::string> read_port(const View& view, const Names& names) {
  const auto text = view.in(names.none).filled();
  if (!text) return std::nullopt;
  if (contains(names.ports, *text)) return text;
  if (const auto number = parse_whole(*text)) {
    if (*number >= 1 && *number <= 65535) return text;
    view.mistake(fmt::format("{} is {}, outside 1 to 65535", view.path(), *number),
                 "write a number in that range, or a name of ports:");
    return std::nullopt;
  }
  view.bad_reference(
      fmt::format("ports: does not list '{}'{}", *text, evidence::did_you_mean(*text, names.ports)),
      fmt::format("listed: {}; or write a number", fmt::join(names.ports, ", ")));
  return std::nullopt;
}

}  // namespace telltale::subject
