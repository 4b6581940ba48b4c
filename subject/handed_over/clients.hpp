// Commands that do nothing themselves: they ask a program that runs already, outside of whatever
// world the command is put into, and that one would be the one that sends.
//
// Only what is certain is recognised, by the command line alone: a client of a daemon with a word
// that has it start something ("docker run", "systemctl restart"). What asks in another way, a
// script or a library, still ends at a socket of the machine, which the sealed world hides and the
// witness names.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

#include "evidence/result.hpp"
#include "subject/handed_over/unit_file.hpp"
#include "subject/specification.hpp"

namespace telltale::subject {

// Where it is looked what a unit runs, and what "docker" is.
struct ClientSurroundings {
  UnitFolders system_units = unit_folders(false);
  UnitFolders user_units = unit_folders(true);
  bool systemd_runs = std::filesystem::exists("/run/systemd/system");
};

// Nothing: the command may do its work itself. Else Fault::instrument, with what to run instead.
[[nodiscard]] std::optional<Error> asks_a_daemon(const Argv& command,
                                                 const ClientSurroundings& around = {});

// A process that runs already cannot be put into a world: what to run instead. Fault::input when
// there is none of that number.
[[nodiscard]] Error runs_already(pid_t pid, const ClientSurroundings& around = {});

}  // namespace telltale::subject
