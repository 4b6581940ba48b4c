// Addresses of registries and proxies: http or https, and nothing in them that could carry a
// credential.
#pragma once

#include <string>

#include "evidence/result.hpp"

namespace telltale::sweep {

// The address without its trailing slash. Fault::input, never quoting a secret: another scheme
// (file:// included), no host, a user name or password, a query or a fragment. `what` names the
// setting in the message: "--registry".
[[nodiscard]] Result<std::string> checked_address(const std::string& address,
                                                  const std::string& what);

// "proxy.example", or "127.0.0.1:8080" where the port is not the scheme's own; "" when it is none.
[[nodiscard]] std::string host_of(const std::string& url);

// `location` as a browser would resolve it against `base`; "" when it cannot be.
[[nodiscard]] std::string resolved(const std::string& base, const std::string& location);

}  // namespace telltale::sweep
