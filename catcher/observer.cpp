#include "catcher/observer.hpp"

#include <fmt/core.h>

namespace telltale::catcher {

std::string control_name(const Observer& observer, const std::string& when) {
  return fmt::format("{}, {}", observer.name(), when);
}

}  // namespace telltale::catcher
