// The command line of `egress`: its options, and which of them belong to which of its two forms, a
// COMMAND and a SUBJECT.yaml.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "catcher/environment_matrix.hpp"
#include "evidence/result.hpp"
#include "subject/specification.hpp"
#include "tools/command_view.hpp"
#include "tools/options.hpp"
#include "tools/setting_options.hpp"

namespace CLI {
class App;
}

namespace telltale::tools {

struct EgressOptions {
  CommonOptions common;
  std::string file;
  std::vector<std::string> command;  // after `--`
  std::string idle;                  // --for
  bool until_exit = false;
  bool linger = false;
  bool terminal = false;      // --tty
  bool environments = false;  // --env-matrix
  std::vector<std::string> opt_outs;
  std::string window;
  std::optional<pid_t> process;  // -p
  std::vector<std::string> undriven;
  SettingOptions setting;
};

void add_egress_options(CLI::App& app, EgressOptions& options);

// Takes everything after the first `--` out of `arguments`: it is the command's own.
[[nodiscard]] std::vector<std::string> split_command(std::vector<std::string>& arguments);

// Fault::input for two roots, neither or both of the forms, an option of the one form that was
// given to the other, where it would be passed over in silence, and --env-matrix beside --plain:
// only where nothing leaves may a command be started without an opt-out that its user has set.
[[nodiscard]] Result<> check_egress_options(const EgressOptions& options);

// What an option such as --for says; nothing where it was not given.
[[nodiscard]] Result<std::optional<subject::Milliseconds>> time_of(const char* option,
                                                                   const std::string& text);

// The launches of --env-matrix; none without it. The options were checked.
[[nodiscard]] std::vector<catcher::Environment> environments_of(const EgressOptions& options,
                                                                const CommandView& view);

}  // namespace telltale::tools
