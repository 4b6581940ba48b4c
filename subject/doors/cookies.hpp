// Cookies of the subject, kept among the variables of a launch as cookie.NAME (RFC 6265).
#pragma once

#include <string>
#include <vector>

#include "subject/variables.hpp"

namespace telltale::subject {

// Takes in the values of Set-Cookie. Attributes other than Max-Age are ignored: everything asked is
// one subject on loopback. Max-Age of 0 or less, or an empty value, takes the cookie out.
void keep_cookies(const std::vector<std::string>& set_cookie, Variables& variables);

// "a=1; b=2"; empty when there is none.
[[nodiscard]] std::string cookie_header(const Variables& variables);

}  // namespace telltale::subject
