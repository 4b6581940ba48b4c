// A user of the system, as the password and group files (or whatever nsswitch names) say it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::subject {

struct Identity {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;  // supplementary
  std::string home;           // its real one
  std::string shell;
};

// Empty name: the user that the tool runs as; it needs no entry. Fault::input: no such user.
[[nodiscard]] Result<Identity> find_identity(const std::string& name);

}  // namespace telltale::subject
