// The main of every tool; CMakeLists.txt says which one it is.
#include "tools/tool.hpp"

int main(int argc, char** argv) {
  return telltale::tools::run_tool(telltale::tools::TELLTALE_TOOL, argc, argv);
}
