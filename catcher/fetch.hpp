// fetch URL: one GET by libcurl, which obeys the proxy variables: "fetched STATUS".
#pragma once

#include <string>

#include "catcher/act.hpp"

namespace telltale::catcher {

[[nodiscard]] Told fetch(const std::string& url);

}  // namespace telltale::catcher
