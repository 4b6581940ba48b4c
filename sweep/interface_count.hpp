// How much interface a program has: operations of its OpenAPI document and tools of its MCP server.
// The two are counted apart; neither stands for the other.
#pragma once

#include <cstdint>
#include <string_view>

#include "evidence/result.hpp"

namespace telltale::sweep {

struct OpenApiCount {
  std::int64_t paths = 0;
  std::int64_t operations = 0;  // OpenAPI 3: get, put, post, delete, options, head, patch, trace
};

// Fault::subject when the text is no OpenAPI (3.x) or Swagger (2.0) document.
[[nodiscard]] Result<OpenApiCount> count_openapi(std::string_view document);

// The result of tools/list. Fault::subject when it holds no list of tools.
[[nodiscard]] Result<std::int64_t> count_mcp_tools(std::string_view result);

}  // namespace telltale::sweep
