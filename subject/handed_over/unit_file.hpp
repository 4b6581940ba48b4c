// What a systemd unit runs, read from its files (systemd.unit(5), systemd.service(5)).
//
// Of a unit are read: the first file of its name in the folders, in their order, then the drop-ins
// NAME.d/*.conf of all of them by name. Only ExecStart= and User= of [Service]. Specifiers %i, %n,
// %p and %% are filled in; others stay as they are written. Nothing is asked of systemd.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace telltale::subject {

struct UnitCommand {
  std::filesystem::path file;         // where the unit stands
  std::vector<std::string> commands;  // ExecStart=, as written, less the prefixes (@ - : + ! |)
  std::string user;                   // User=; empty: root, or whose manager it is
};

using UnitFolders = std::vector<std::filesystem::path>;

// Of the machine, or (`of_user`) of whoever runs the tool.
[[nodiscard]] UnitFolders unit_folders(bool of_user);

// "nginx", "nginx.service", "postgresql@15-main.service". Nothing: there is no such service, or its
// files name no command.
[[nodiscard]] std::optional<UnitCommand> unit_command(const std::string& unit,
                                                      const UnitFolders& folders);

}  // namespace telltale::subject
