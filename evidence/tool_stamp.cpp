#include "evidence/results.hpp"
#include "evidence_build_stamp.hpp"  // written by evidence/build_stamp.cmake when the commit changes

namespace telltale::evidence {

ToolStamp tool_stamp(std::string name) {
  return {std::move(name), TELLTALE_VERSION, TELLTALE_COMMIT};
}

}  // namespace telltale::evidence
