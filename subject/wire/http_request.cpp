#include "subject/wire/http_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "subject/quote.hpp"

namespace telltale::subject {

namespace {

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// tchar of RFC 9110, section 5.6.2.
bool token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kMarks.find(c) != kMarks.npos;
  });
}

bool field_value(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

bool target_text(std::string_view text) {
  return text.starts_with('/') &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

Result<> check(const HttpRequest& request) {
  if (!token(request.method))
    return fail(Fault::input, fmt::format("{} is not an HTTP method", quote(request.method)),
                "write GET, POST, PUT, DELETE or another word of letters");
  if (!target_text(request.target))
    return fail(Fault::input, fmt::format("{} is not a path to ask for", quote(request.target)),
                "start it with / and write spaces as %20");
  for (const auto& [name, value] : request.headers)
    if (!token(name) || !field_value(value))
      return fail(Fault::input,
                  fmt::format("{}: {} is not a header field", quote(name), quote(value)),
                  "a name has no space, a value no line break");
  return {};
}

// A POST without a body still says so; a GET does not (RFC 9110, section 8.6).
bool states_length(const HttpRequest& request) {
  return request.body || request.method == "POST" || request.method == "PUT" ||
         request.method == "PATCH";
}

}  // namespace

const std::string* find_header(const Pairs& headers, std::string_view name) {
  for (const auto& [key, value] : headers)
    if (same_name(key, name)) return &value;
  return nullptr;
}

Result<std::string> render(const HttpRequest& request) {
  auto checked = check(request);
  if (!checked) return pass_on(std::move(checked.error()));
  std::string out = fmt::format("{} {} HTTP/1.1\r\n", request.method, request.target);
  const auto add = [&out](std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(out), "{}: {}\r\n", name, value);
  };
  const auto add_default = [&](std::string_view name, std::string_view value) {
    if (find_header(request.headers, name) == nullptr) add(name, value);
  };
  add_default("Host", request.authority);
  add_default("User-Agent", "telltale");
  add_default("Accept", "*/*");
  for (const auto& [name, value] : request.headers) add(name, value);
  if (states_length(request))
    add_default("Content-Length", fmt::format("{}", request.body ? request.body->size() : 0));
  out += "\r\n";
  if (request.body) out += *request.body;
  return out;
}

}  // namespace telltale::subject
