// Credentials of a known shape in a text that nobody declared: what a program says to a server may
// hold its user's. Masked in everything outside raw/.
//
//   mask_credentials("GET https://a:b@h/?api_key=1234&q=2");  // "GET
//   https://[masked]@h/?api_key=[masked]&q=2"
//
// Seen: user and password of a URL; the value of a parameter whose name says that it is secret;
// tokens with the prefix of a common service, keys of AWS, and JSON Web Tokens (RFC 7519). Not
// seen: a secret without such a shape; one that was encoded once more. `secrets:` are the masker's
// (mask.hpp).
#pragma once

#include <string>
#include <string_view>

namespace telltale::evidence {

[[nodiscard]] std::string mask_credentials(std::string_view text);

}  // namespace telltale::evidence
