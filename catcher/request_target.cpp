#include "catcher/request_target.hpp"

#include <charconv>

namespace telltale::catcher {

namespace {

std::uint16_t default_port(std::string_view scheme) {
  if (scheme == "https" || scheme == "wss") return 443;
  if (scheme == "ftp") return 21;
  return 80;
}

std::uint16_t to_port(std::string_view text, std::uint16_t otherwise) {
  std::uint16_t port = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), port);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() ? port : otherwise;
}

// "host:port", "[v6]:port", either without the port.
Destination split_authority(std::string_view authority, std::uint16_t otherwise) {
  if (!authority.empty() && authority.front() == '[') {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return {std::string(authority), otherwise};
    const auto rest = authority.substr(end + 1);
    return {std::string(authority.substr(1, end - 1)),
            !rest.empty() && rest.front() == ':' ? to_port(rest.substr(1), otherwise) : otherwise};
  }
  const auto colon = authority.rfind(':');
  if (colon == std::string_view::npos) return {std::string(authority), otherwise};
  return {std::string(authority.substr(0, colon)), to_port(authority.substr(colon + 1), otherwise)};
}

}  // namespace

Destination destination_of(std::string_view method, std::string_view target) {
  if (method == "CONNECT") return split_authority(target, 443);
  const auto scheme_end = target.find("://");
  if (scheme_end == std::string_view::npos) return {};
  const auto port = default_port(target.substr(0, scheme_end));
  auto authority = target.substr(scheme_end + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  if (const auto at = authority.rfind('@'); at != std::string_view::npos)
    authority = authority.substr(at + 1);
  return split_authority(authority, port);
}

}  // namespace telltale::catcher
