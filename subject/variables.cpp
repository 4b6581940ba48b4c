#include "subject/variables.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "evidence/suggest.hpp"

namespace telltale::subject {

namespace {

using nlohmann::json;

constexpr std::string_view kOpen = "${";
constexpr std::string_view kEscaped = "$${";

void add_literal(std::vector<Piece>& pieces, std::string_view text) {
  if (text.empty()) return;
  if (pieces.empty() || pieces.back().is_name) pieces.push_back({});
  pieces.back().text += text;
}

std::string joined(const std::vector<std::string>& names) {
  std::string line;
  for (const auto& name : names) line += (line.empty() ? "" : ", ") + name;
  return line;
}

Result<json> expand_node(const Variables& variables, const json& node) {
  if (node.is_string()) {
    auto text = variables.expand(node.get_ref<const std::string&>());
    if (!text) return pass_on(std::move(text.error()));
    return json(std::move(*text));
  }
  if (!node.is_structured()) return node;
  json copy = node;
  for (auto& child : copy) {
    auto expanded = expand_node(variables, child);
    if (!expanded) return expanded;
    child = std::move(*expanded);
  }
  return copy;
}

}  // namespace

Result<std::vector<Piece>> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  while (!text.empty()) {
    const auto dollar = text.find('$');
    add_literal(pieces, text.substr(0, dollar));
    if (dollar == std::string_view::npos) break;
    text.remove_prefix(dollar);
    if (text.substr(0, kEscaped.size()) == kEscaped) {
      add_literal(pieces, kOpen);
      text.remove_prefix(kEscaped.size());
    } else if (text.substr(0, kOpen.size()) == kOpen) {
      const auto close = text.find('}');
      if (close == std::string_view::npos)
        return fail(Fault::input, fmt::format("no closing brace after '{}'", text.substr(0, 20)),
                    "write ${name}, or $${ for a literal ${");
      const auto name = text.substr(kOpen.size(), close - kOpen.size());
      if (name.empty())
        return fail(Fault::input, "no name between the braces of ${}",
                    "write ${name}, or $${ for a literal ${");
      pieces.push_back({true, std::string(name)});
      text.remove_prefix(close + 1);
    } else {
      add_literal(pieces, text.substr(0, 1));
      text.remove_prefix(1);
    }
  }
  return pieces;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  const auto pieces = pieces_of(text);
  if (!pieces) return names;
  for (const auto& piece : *pieces)
    if (piece.is_name) names.push_back(piece.text);
  return names;
}

void Variables::set(std::string name, std::string value) {
  values_[std::move(name)] = std::move(value);
}

const std::string* Variables::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

std::vector<std::pair<std::string, std::string>> Variables::starting_with(
    std::string_view prefix) const {
  std::vector<std::pair<std::string, std::string>> found;
  for (auto at = values_.lower_bound(prefix); at != values_.end(); ++at) {
    if (at->first.compare(0, prefix.size(), prefix) != 0) break;
    found.emplace_back(*at);
  }
  return found;
}

Result<std::string> Variables::expand(std::string_view text) const {
  auto pieces = pieces_of(text);
  if (!pieces) return pass_on(std::move(pieces.error()));
  std::string expanded;
  for (const auto& piece : *pieces) {
    if (!piece.is_name) {
      expanded += piece.text;
      continue;
    }
    const auto* value = find(piece.text);
    if (value == nullptr) {
      std::vector<std::string> names;
      for (const auto& [name, unused] : values_) names.push_back(name);
      return fail(Fault::input,
                  fmt::format("undefined variable ${{{}}}{}", piece.text,
                              evidence::did_you_mean(piece.text, names)),
                  fmt::format("known here: {}; write $${{ for a literal ${{", joined(names)));
    }
    expanded += *value;
  }
  return expanded;
}

Result<std::vector<std::string>> Variables::expand(const std::vector<std::string>& texts) const {
  std::vector<std::string> expanded;
  for (const auto& text : texts) {
    auto one = expand(text);
    if (!one) return pass_on(std::move(one.error()));
    expanded.push_back(std::move(*one));
  }
  return expanded;
}

Result<json> Variables::expand(const json& document) const {
  return expand_node(*this, document);
}

}  // namespace telltale::subject
