#include "subject/specification/section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/suggest.hpp"
#include "subject/specification/keys.hpp"

namespace telltale::subject {

namespace {

std::vector<KeyRow> rows_of(std::initializer_list<std::string_view> shapes) {
  std::vector<KeyRow> rows;
  for (const auto shape : shapes)
    for (const auto& row : specification_keys())
      if (row.shape == shape) rows.push_back(row);
  return rows;
}

std::string titled(const std::string& path) {
  return path.empty() ? "the file" : path;
}

}  // namespace

Section::Section(View view, std::initializer_list<std::string_view> shapes)
    : view_(std::move(view)) {
  if (view_.is(Node::Kind::map))
    check_keys(shapes);
  else
    view_.wrong_type("a map", "write { key: value }, or one key: value on each line below");
}

void Section::check_keys(std::initializer_list<std::string_view> shapes) {
  const auto rows = rows_of(shapes);
  std::vector<std::string> known;
  for (const auto& row : rows) known.emplace_back(row.key);
  for (const auto& entry : view_.node().entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    misspelt_ = true;
    view_.mistakes().add({entry.place,
                          fmt::format("unknown key '{}' in {}{}", entry.key, titled(view_.path()),
                                      evidence::did_you_mean(entry.key, known)),
                          fmt::format("keys known here: {}", fmt::join(known, ", "))});
  }
  if (misspelt_) return;  // the one that seems missing may be the one misspelt
  for (const auto& row : rows)
    if (row.required() && !has(row.key))
      view_.mistake(fmt::format("{} has no '{}'", titled(view_.path()), row.key),
                    fmt::format("add {}: {}", row.key, row.meaning));
}

const Node::Entry* Section::find(std::string_view key) const {
  return view_.node().find(key);
}

std::optional<View> Section::at(std::string_view key) const {
  return at(key, view_.scope());
}

std::optional<View> Section::at(std::string_view key, const Scope& scope) const {
  const auto* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  return view_.child(*entry->value, std::string(key)).in(scope);
}

Place Section::place_of(std::string_view key) const {
  const auto* entry = find(key);
  return entry == nullptr ? view_.place() : entry->place;
}

void Section::take_whole(std::string_view key, int low, int high, int& into) const {
  if (const auto value = at(key))
    if (const auto number = value->whole(low, high)) into = *number;
}

std::vector<View> Section::items(std::string_view key) const {
  const auto value = at(key);
  if (!value) return {};
  return value->list().value_or(std::vector<View>());
}

std::string Section::one_of(const std::vector<std::string>& keys) const {
  std::vector<std::string> given;
  for (const auto& key : keys)
    if (has(key)) given.push_back(key);
  if (given.size() == 1) return given.front();
  if (!view_.is(Node::Kind::map)) return {};
  if (given.empty() && misspelt_) return {};  // as in check_keys()
  if (given.empty())
    view_.mistake(fmt::format("{} has none of {}", titled(view_.path()), fmt::join(keys, ", ")),
                  "add one of them");
  else
    view_.mistakes().add({place_of(given[1]),
                          fmt::format("{} has {}: only one can hold", titled(view_.path()),
                                      fmt::join(given, " and ")),
                          "remove all but one"});
  return {};
}

}  // namespace telltale::subject
