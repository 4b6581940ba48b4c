#include "subject/page_doors.hpp"

#include <algorithm>

namespace telltale::subject {

namespace {
bool opens_page(const Step& door) {
  return std::holds_alternative<PageCall>(door.call);
}
}  // namespace

std::vector<std::string> page_doors(const Specification& specification) {
  std::vector<std::string> names;
  for (const auto& door : specification.doors)
    if (opens_page(door)) names.push_back(door.name);
  return names;
}

Specification without_page_doors(Specification specification) {
  auto& doors = specification.doors;
  doors.erase(std::remove_if(doors.begin(), doors.end(), opens_page), doors.end());
  return specification;
}

}  // namespace telltale::subject
