// What one launch is given: the specification with a difference applied, still unexpanded.
#pragma once

#include "subject/specification.hpp"

namespace telltale::subject {

struct Given {
  Argv command;
  Pairs env;  // plain ones and secrets, in the order in which they are set
  Pairs secrets;
  Pairs files;
};

// A name that the difference sets replaces the specification's, whether plain or secret.
[[nodiscard]] Given given_to(const Specification& specification, const Difference* difference);

}  // namespace telltale::subject
