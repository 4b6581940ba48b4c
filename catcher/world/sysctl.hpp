// Settings below /proc/sys (sysctl(8)), of the calling thread's namespaces.
#pragma once

#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

// `name` with slashes: "net/ipv4/ip_forward".
[[nodiscard]] Result<> set_sysctl(const std::string& name, const std::string& value);
// For what not every kernel has, or gives to an ordinary user: false when it was not taken.
bool try_sysctl(const std::string& name, const std::string& value);

}  // namespace telltale::catcher
