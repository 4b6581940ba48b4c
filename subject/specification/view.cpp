#include "subject/specification/view.hpp"

#include <fmt/format.h>

#include "subject/specification/values.hpp"

namespace telltale::subject {

namespace {

std::string kind_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "empty";
    case Node::Kind::scalar:
      return node.quoted ? "text" : "'" + node.text.substr(0, 40) + "'";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return "something else";
}

}  // namespace

View View::in(const Scope& scope) const {
  return {*node_, path_, scope, *mistakes_};
}

View View::child(const Node& node, const std::string& suffix) const {
  const bool dot = !path_.empty() && !suffix.empty() && suffix[0] != '[';
  return {node, path_ + (dot ? "." : "") + suffix, *scope_, *mistakes_};
}

void View::mistake(std::string what, std::string fix) const {
  mistakes_->add({place(), std::move(what), std::move(fix)});
}

void View::bad_reference(std::string what, std::string fix) const {
  mistakes_->add_reference({place(), std::move(what), std::move(fix)});
}

void View::wrong_type(std::string_view wanted, std::string fix) const {
  mistake(
      fmt::format("{} is {}, not {}", path_.empty() ? "the file" : path_, kind_of(*node_), wanted),
      std::move(fix));
}

std::optional<std::string> View::scalar(std::string_view wanted) const {
  if (is(Node::Kind::scalar)) return node_->text;
  const bool braces = is(Node::Kind::map) || is(Node::Kind::list);
  wrong_type(wanted, braces ? "write one value; a text with { or [ in front needs quotes"
                            : "give a value, \"\" for an empty one");
  return std::nullopt;
}

std::optional<std::string> View::text() const {
  auto value = scalar("text");
  if (value) scope_->check(*value, place(), *mistakes_);
  return value;
}

std::optional<std::string> View::c_text() const {
  auto value = text();
  if (!value || value->find('\0') == std::string::npos) return value;
  mistake(fmt::format("{} holds a NUL character, and what is given to a program ends there", path_),
          "write it without \\0");
  return std::nullopt;
}

std::optional<std::string> View::filled() const {
  auto value = c_text();
  if (!value || value->find_first_not_of(" \t\r\n") != std::string::npos) return value;
  mistake(fmt::format("{} is empty", path_), "write a text");
  return std::nullopt;
}

std::optional<std::string> View::url() const {
  auto value = filled();
  if (!value) return value;
  for (const auto* start : {"http://", "https://", "${"})
    if (value->rfind(start, 0) == 0) return value;
  mistake(fmt::format("{} is no URL: '{}'", path_, *value),
          "it begins with http:// or https://; over a unix socket write "
          "unix: { path: ..., http: { url: /path } }");
  return std::nullopt;
}

std::optional<std::string> View::date() const {
  auto value = scalar("a date");
  if (!value || is_date(*value)) return value;
  mistake(fmt::format("{} is not a date: '{}'", path_, *value), "write YYYY-MM-DD: 2027-06-30");
  return std::nullopt;
}

std::optional<std::string> View::name() const {
  auto value = scalar("a name");
  if (!value || is_name(*value)) return value;
  mistake(fmt::format("{} is not a name: '{}'", path_, *value),
          "a letter, then letters, digits, _ or -");
  return std::nullopt;
}

std::optional<int> View::whole(int low, int high) const {
  const auto fix = fmt::format("write a number from {} to {}, without quotes", low, high);
  const auto value =
      is(Node::Kind::scalar) && !node_->quoted ? parse_whole(node_->text) : std::optional<int>();
  if (!value) {
    wrong_type("a whole number", fix);
    return std::nullopt;
  }
  if (*value >= low && *value <= high) return value;
  mistake(fmt::format("{} is {}, outside {} to {}", path_, *value, low, high), fix);
  return std::nullopt;
}

std::optional<bool> View::flag() const {
  if (is(Node::Kind::scalar) && !node_->quoted) {
    for (const auto* word : {"true", "True", "TRUE"})
      if (node_->text == word) return true;
    for (const auto* word : {"false", "False", "FALSE"})
      if (node_->text == word) return false;
  }
  wrong_type("true or false", "write true or false, without quotes");
  return std::nullopt;
}

std::optional<Milliseconds> View::duration() const {
  const auto value = scalar("a duration");
  if (!value) return std::nullopt;
  if (const auto duration = parse_duration(*value)) return duration;
  mistake(fmt::format("{} is not a duration: '{}'", path_, *value),
          "write a number and its unit, at most 24h: 500ms, 30s, 2m, 1h");
  return std::nullopt;
}

std::optional<std::vector<View>> View::list() const {
  if (!is(Node::Kind::list)) {
    wrong_type("a list", "write [one, two], or one line for each with '- ' in front");
    return std::nullopt;
  }
  std::vector<View> views;
  for (const auto& item : node_->items)
    views.push_back(child(*item, fmt::format("[{}]", views.size())));
  return views;
}

std::optional<Argv> View::argv() const {
  const auto items = list();
  if (!items) return std::nullopt;
  if (items->empty()) mistake(fmt::format("{} is an empty list", path_), "name the program");
  Argv texts;
  for (const auto& item : *items)
    if (auto text = texts.empty() ? item.filled() : item.c_text())
      texts.push_back(std::move(*text));
  return texts;
}

std::optional<Pairs> View::pairs() const {
  if (!is(Node::Kind::map)) {
    wrong_type("a map of texts", "write { NAME: value }");
    return std::nullopt;
  }
  Pairs pairs;
  for (const auto& entry : node_->entries) {
    if (entry.key.empty()) mistakes_->add({entry.place, "a name is missing", "write NAME: value"});
    if (auto text = child(*entry.value, entry.key).text())
      pairs.emplace_back(entry.key, std::move(*text));
  }
  return pairs;
}

}  // namespace telltale::subject
