#include "evidence/report/page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "evidence/characters.hpp"
#include "evidence/row.hpp"

namespace telltale::evidence {

namespace {

std::string spaces(std::size_t count) {
  return std::string(count, ' ');
}

std::vector<std::string> set(std::string_view text, std::string_view first) {
  const auto indent = spaces(columns(first));
  if (indent.size() <= kPageWidth / 2) return wrap(text, kPageWidth, first, indent);
  const auto margin = std::min(first.find_first_not_of(' '), first.size());
  return wrap(fmt::format("{}{}", first.substr(margin), text), kPageWidth, spaces(margin),
              spaces(margin + 2));
}

std::string_view escape_of(Ink ink) {
  switch (ink) {
    case Ink::good:
      return "\033[32m";
    case Ink::bad:
      return "\033[31m";
    case Ink::doubtful:
      return "\033[33m";
    case Ink::strong:
      return "\033[1m";
    case Ink::plain:
      break;
  }
  return {};
}

}  // namespace

std::string Page::inked(Ink ink, std::string_view text) const {
  if (!color_ || ink == Ink::plain) return std::string(text);
  return fmt::format("{}{}\033[0m", escape_of(ink), text);
}

void Page::line(std::string_view text) {
  out_ << text << '\n';
}

void Page::paragraph(std::string_view text, std::string_view first) {
  for (const auto& each : set(text, first)) line(each);
}

void Page::marked(Ink ink, std::string_view mark, std::string_view text, std::string_view first) {
  auto lines = set(text, first);
  auto& head = lines.front();
  if (const auto at = head.find(mark); at != std::string::npos)
    head.replace(at, mark.size(), inked(ink, mark));
  for (const auto& each : lines) line(each);
}

void Page::rule(std::string_view title) {
  const auto used = columns(title) + 4;
  line();
  if (used > kPageWidth) return heading(title);
  line(inked(Ink::strong, fmt::format("-- {} {}", title, std::string(kPageWidth - used, '-'))));
}

void Page::heading(std::string_view title) {
  line();
  for (const auto& each : set(title, "")) line(inked(Ink::strong, each));
}

void Page::labelled(std::string_view label, std::string_view value, std::size_t label_width) {
  if (columns(label) > label_width) {  // the value goes below a label that is too long
    paragraph(label, "  ");
    label = {};
  }
  paragraph(value, fmt::format("  {}{}  ", label, spaces(label_width - columns(label))));
}

const nlohmann::json& member(const nlohmann::json& object, const char* name) {
  static const nlohmann::json none;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() ? *found : none;
}

std::string field(const nlohmann::json& object, const char* name) {
  const auto& found = member(object, name);
  return found.is_string() ? visible(found.get_ref<const std::string&>()) : std::string{};
}

std::string shown(const nlohmann::json& value) {
  if (value.is_boolean()) return display(Value(value.get<bool>()));
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return display(Value(value.get<double>()));
  return value.is_string() ? visible(value.get_ref<const std::string&>()) : "";
}

const nlohmann::json& items(const nlohmann::json& object, const char* name) {
  static const auto none = nlohmann::json::array();
  const auto& found = member(object, name);
  return found.is_array() ? found : none;
}

bool flag(const nlohmann::json& object, const char* name) {
  const auto& found = member(object, name);
  return found.is_boolean() && found.get<bool>();
}

std::string moment(const std::string& rfc3339) {
  if (rfc3339.size() < 20) return rfc3339;
  return rfc3339.substr(0, 10) + " " + rfc3339.substr(11, 8) + " UTC";
}

std::string with_unit(const nlohmann::json& value, const std::string& unit) {
  auto text = shown(value);
  if (!unit.empty()) text += " " + unit;
  if (unit != "B" || !value.is_number() || value.get<double>() < 1024) return text;
  auto size = value.get<double>();
  std::size_t power = 0;
  for (; size >= 1024 && power < 4; ++power) size /= 1024;
  return fmt::format("{} ({:.1f} {}iB)", text, size, "_KMGT"[power]);
}

std::string joined(const nlohmann::json& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += separator;
    text += shown(word);
  }
  return text;
}

}  // namespace telltale::evidence
