#include "subject/wire/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "subject/quote.hpp"

namespace telltale::subject {

namespace {

auto wrong(std::string_view text, std::string_view why) {
  return fail(Fault::input,
              fmt::format("{} is not a URL that a door can call: {}", quote(text), why),
              "write http://127.0.0.1:PORT/path or https://127.0.0.1:PORT/path");
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

// "host", "host:port", "[address]:port"; false when the port is none.
bool split_authority(std::string_view authority, Url& url) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return false;
    url.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
    if (!port.empty() && !port.starts_with(':')) return false;
  } else {
    const auto colon = authority.find(':');
    url.host = authority.substr(0, colon);
    if (colon != std::string_view::npos) port = authority.substr(colon);
  }
  if (url.host.empty()) return false;
  if (port.empty()) return true;
  port.remove_prefix(1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  return error == std::errc{} && end == port.data() + port.size() && url.port != 0;
}

}  // namespace

Result<Url> parse_url(std::string_view text) {
  Url url;
  auto rest = text.substr(0, text.find('#'));
  if (rest.starts_with("https://")) {
    url.tls = true;
  } else if (!rest.starts_with("http://")) {
    return wrong(text, "it starts with neither http:// nor https://");
  }
  rest.remove_prefix(url.tls ? 8 : 7);
  if (!printable(rest)) return wrong(text, "a space, a control or a non-ASCII character in it");
  const auto slash = std::min(rest.find_first_of("/?"), rest.size());
  const auto authority = rest.substr(0, slash);
  if (authority.find('@') != std::string_view::npos)
    return fail(Fault::input,
                fmt::format("a door's URL holds a user name ({})",
                            quote(authority.substr(authority.find('@') + 1))),
                "give it as a header: Authorization: Basic ...");
  url.port = url.tls ? 443 : 80;
  if (!split_authority(authority, url)) return wrong(text, "no host, or no port after the colon");
  url.authority = authority;
  url.target = rest.substr(slash);
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  return url;
}

}  // namespace telltale::subject
