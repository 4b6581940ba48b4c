#include "subject/specification/json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "subject/specification/values.hpp"

namespace telltale::subject {

namespace {

using nlohmann::json;

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_number(std::string_view written) {
  const auto text = without_sign(written);
  const auto whole = skip_digits(text, 0);
  auto at = whole;
  if (at < text.size() && text[at] == '.') {
    at = skip_digits(text, at + 1);
    if (whole == 0 && at == 1) return false;
  } else if (whole == 0) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const auto exponent = without_sign(text.substr(at + 1));
    return !exponent.empty() && skip_digits(exponent, 0) == exponent.size();
  }
  return at == text.size();
}

template <class T>
std::optional<json> number_from(std::string_view text, int base) {
  T number{};
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number, base);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return json(number);
}

std::optional<json> whole_from(std::string_view text, int base) {
  if (auto small = number_from<std::int64_t>(text, base)) return small;
  return number_from<std::uint64_t>(text, base);
}

std::optional<json> number_of(std::string_view text) {
  if (text.substr(0, 2) == "0x") return whole_from(text.substr(2), 16);
  if (text.substr(0, 2) == "0o") return whole_from(text.substr(2), 8);
  if (text[0] == '+') text.remove_prefix(1);
  if (text.find_first_of(".eE") == std::string_view::npos) return whole_from(text, 10);
  double number = 0;
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return json(number);
}

bool looks_like_number(std::string_view text) {
  const auto digits = text.size() > 2 ? text.substr(2) : std::string_view();
  if (text.substr(0, 2) == "0x")
    return !digits.empty() &&
           digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (text.substr(0, 2) == "0o")
    return !digits.empty() && digits.find_first_not_of("01234567") == std::string_view::npos;
  return is_number(text) || one_of(without_sign(text), {".inf", ".Inf", ".INF"}) ||
         one_of(text, {".nan", ".NaN", ".NAN"});
}

std::optional<json> scalar_of(const View& view) {
  const auto& node = view.node();
  if (!node.quoted) {
    if (one_of(node.text, {"true", "True", "TRUE"})) return json(true);
    if (one_of(node.text, {"false", "False", "FALSE"})) return json(false);
    if (looks_like_number(node.text)) {
      auto number = number_of(node.text);
      if (!number)
        view.mistake(
            fmt::format("{} is a number that JSON cannot hold: {}", view.path(), node.text),
            "put it in quotes to send it as text");
      return number;
    }
  }
  auto text = view.text();
  if (!text) return std::nullopt;
  return json(std::move(*text));
}

std::optional<json> list_of(const View& view) {
  auto list = json::array();
  std::size_t index = 0;
  for (const auto& item : view.node().items) {
    auto value = json_of(view.child(*item, fmt::format("[{}]", index++)));
    if (!value) return std::nullopt;
    list.push_back(std::move(*value));
  }
  return std::optional<json>(std::move(list));
}

std::optional<json> map_of(const View& view) {
  auto map = json::object();
  for (const auto& entry : view.node().entries) {
    auto value = json_of(view.child(*entry.value, entry.key));
    if (!value) return std::nullopt;
    map[entry.key] = std::move(*value);
  }
  return std::optional<json>(std::move(map));
}

}  // namespace

std::optional<json> json_of(const View& view) {
  switch (view.node().kind) {
    case Node::Kind::null:
      return json(nullptr);
    case Node::Kind::scalar:
      return scalar_of(view);
    case Node::Kind::list:
      return list_of(view);
    case Node::Kind::map:
      return map_of(view);
  }
  return std::nullopt;
}

}  // namespace telltale::subject
