// The tools as a table: `telltale NAME` and the program called NAME run the same function.
//
// To add one: a NAME.cpp with its Tool, a line here and in tool.cpp, telltale_tool(NAME) in
// CMakeLists.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/exit_status.hpp"

namespace telltale::tools {

struct Tool {
  std::string_view name;
  std::string_view summary;  // one line, for --help
  // The arguments without the program's name. May throw; run_tool() catches.
  evidence::ExitStatus (*run)(const std::vector<std::string>& arguments);
};

extern const Tool cipher_tool;
extern const Tool doctor_tool;  // of telltale only
extern const Tool egress_tool;
extern const Tool self_tool;
extern const Tool telltale_tool;

// What main does: 0, 1 and 2 are open, the working folder is there, files can be opened; a broken
// pipe is no error, an exception ends the run as NOT EVIDENCE.
[[nodiscard]] int run_tool(const Tool& tool, int argc, char** argv);

}  // namespace telltale::tools
