#include "tools/tool.hpp"

#include <csignal>
#include <exception>
#include <iostream>

namespace telltale::tools {

int run_tool(const Tool& tool, int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  auto status = evidence::ExitStatus::not_evidence;
  try {
    status = tool.run({argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::exception& error) {
    std::cerr << tool.name << ": internal error: " << error.what()
              << "\n  fix: please report it, with the command that was run\n";
  }
  return static_cast<int>(status);
}

}  // namespace telltale::tools
