#include "subject/doors/cookies.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace telltale::subject {

namespace {

constexpr std::string_view kPrefix = "cookie.";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// "; Path=/; Max-Age=0" says that the cookie is over.
bool expired(std::string_view attributes) {
  while (!attributes.empty()) {
    const auto end = std::min(attributes.find(';'), attributes.size());
    const auto one = lower(trimmed(attributes.substr(0, end)));
    if (one.starts_with("max-age=")) {
      const auto age = one.substr(8);
      return age.starts_with('-') || age.find_first_not_of('0') == age.npos;
    }
    attributes.remove_prefix(std::min(end + 1, attributes.size()));
  }
  return false;
}

void keep(std::string_view cookie, Variables& variables) {
  const auto end = std::min(cookie.find(';'), cookie.size());
  const auto pair = cookie.substr(0, end);
  const auto equals = pair.find('=');
  if (equals == pair.npos || trimmed(pair.substr(0, equals)).empty()) return;  // RFC 6265, 5.2
  const auto name = trimmed(pair.substr(0, equals));
  const auto value =
      expired(cookie.substr(end)) ? std::string_view{} : trimmed(pair.substr(equals + 1));
  variables.set(std::string(kPrefix).append(name), std::string(value));
}

}  // namespace

void keep_cookies(const std::vector<std::string>& set_cookie, Variables& variables) {
  for (const auto& cookie : set_cookie) keep(cookie, variables);
}

std::string cookie_header(const Variables& variables) {
  std::string header;
  for (const auto& [name, value] : variables.starting_with(kPrefix)) {
    if (value.empty()) continue;
    if (!header.empty()) header += "; ";
    header.append(name, kPrefix.size()).append("=").append(value);
  }
  return header;
}

}  // namespace telltale::subject
