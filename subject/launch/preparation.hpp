// Everything that a launch knows before its first process: prepare() of launch.hpp, without the
// set-up steps.
#pragma once

#include "evidence/mask.hpp"
#include "subject/environment.hpp"
#include "subject/identity.hpp"
#include "subject/launch.hpp"
#include "subject/launch/folders.hpp"

namespace telltale::subject {

struct Preparation {
  Identity user;
  Folders folders;
  std::filesystem::path working_folder;
  Variables variables;
  Argv command;
  GivenEnvironment environment;
  Pairs secrets;  // with the key
  evidence::Masker masker;
};

[[nodiscard]] Result<Preparation> prepare_launch(const Specification& specification,
                                                 Enclosure& enclosure,
                                                 const std::filesystem::path& scratch,
                                                 const LaunchOptions& options);

}  // namespace telltale::subject
