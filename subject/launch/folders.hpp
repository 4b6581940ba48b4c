// The folders of one launch and what is written into them before the start.
//
// With another user they belong to that user, and the scratch folder above them may be passed
// through by everybody (not listed). Folders above the scratch folder are not touched: when they
// are closed to the user, the start says which one.
#pragma once

#include <filesystem>
#include <string>

#include "evidence/result.hpp"
#include "subject/identity.hpp"
#include "subject/specification.hpp"

namespace telltale::subject {

struct Folders {
  std::filesystem::path work;  // SCRATCH/NAME, mode 0700, and below it:
  std::filesystem::path data;
  std::filesystem::path home;
  std::filesystem::path tmp;
};

// Name: letters, digits, dots, dashes and underscores are kept, others become a dash. A second
// launch of the same name gets a number. `shared_home`: used, and made if it is missing.
[[nodiscard]] Result<Folders> make_folders(const std::filesystem::path& scratch,
                                           const std::string& name,
                                           const std::filesystem::path& shared_home,
                                           const Identity& owner);

// Name -> content below `work`, mode 0600. Fault::input for a name that leads out of it.
[[nodiscard]] Result<> write_files(const std::filesystem::path& work, const Pairs& files,
                                   const Identity& owner);

}  // namespace telltale::subject
