#include "support/requirement.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <vector>

namespace telltale::test {

namespace {
std::vector<std::string>& skips() {
  static std::vector<std::string> all;
  return all;
}
}  // namespace

bool require(bool there, const std::string& what) {
  if (!there) skips().push_back(what);
  return there;
}

int report_skips() {
  for (const auto& what : skips()) std::cout << "SKIPPED: needs " << what << '\n';
  if (skips().empty()) return 0;
  const bool ci = std::getenv("CI") != nullptr;
  std::cout << skips().size() << " skipped" << (ci ? "; in CI a skip is a failure" : "") << '\n';
  return ci ? 1 : 0;
}

bool have_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace telltale::test
