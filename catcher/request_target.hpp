// Where a request to a forward proxy wants to go (RFC 9112 section 3.2: absolute and authority
// form).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace telltale::catcher {

struct Destination {
  std::string host;        // without brackets; empty: the target names none (origin form)
  std::uint16_t port = 0;  // the scheme's own port where the target gives none
};

// `method` decides the form: CONNECT has "host:port", every other one "scheme://host[:port]/path".
[[nodiscard]] Destination destination_of(std::string_view method, std::string_view target);

}  // namespace telltale::catcher
