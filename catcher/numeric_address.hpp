// An address as text. inet_ntop(3) of glibc prints each number of an IPv4 address through
// vsnprintf, which is half a microsecond, several times for each connection.
#pragma once

#include <string>

namespace telltale::catcher {

// `bytes`: those of an in_addr (AF_INET) or an in6_addr (AF_INET6), in network order.
[[nodiscard]] std::string numeric_address(int family, const void* bytes);

}  // namespace telltale::catcher
