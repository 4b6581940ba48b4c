// An HTTP/1.1 request as the bytes that are sent (RFC 9112).
#pragma once

#include <optional>
#include <string>

#include "evidence/result.hpp"
#include "subject/specification.hpp"

namespace telltale::subject {

struct HttpRequest {
  std::string method = "GET";
  std::string authority;  // for the Host field, unless `headers` has one
  std::string target = "/";
  Pairs headers;
  std::optional<std::string> body;  // Content-Length is added
};

// The value of a header field, whatever the case of its name; nullptr when it is not there.
[[nodiscard]] const std::string* find_header(const Pairs& headers, std::string_view name);

// Adds Host, User-Agent and Accept when they are not given. No Accept-Encoding is sent: the body
// must be searchable as it comes. Fault::input for a method, target or header that would break the
// request in two (a line break, a space in the target).
[[nodiscard]] Result<std::string> render(const HttpRequest& request);

}  // namespace telltale::subject
