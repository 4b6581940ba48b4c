// What a run asks of the kernel, each thing tried by doing it: `telltale doctor`.
//
// Nothing is concluded from a version, a file of settings or a capability set: a sealed world is
// made of these parts, so the parts are made, by the functions that a run makes them with, and
// thrown away (apart.hpp). The observers are tried elsewhere (observers.hpp), each with its
// control.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::catcher {

// What does not go without it.
enum class Need {
  sealed,    // a sealed run
  landlock,  // a run --without-namespaces
  both,
  some  // only what is asked for by name: another user, a copy-on-write home
};

struct Examined {
  std::string_view name;
  std::string_view serves;  // what a run needs it for, in a few words
  Need need = Need::sealed;
  Result<std::string> outcome;  // a detail, or why not and what to do
};

[[nodiscard]] std::vector<Examined> examine_mechanisms();

// All that a run of this kind needs works.
[[nodiscard]] bool all_work(const std::vector<Examined>& examined, Need need);

}  // namespace telltale::catcher
