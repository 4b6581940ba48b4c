#include "sweep/interface_count.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace telltale::sweep {

namespace {

constexpr std::array<std::string_view, 8> kMethods = {"get",     "put",  "post",  "delete",
                                                      "options", "head", "patch", "trace"};

nlohmann::json parse(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::int64_t operations_of(const nlohmann::json& path) {
  if (!path.is_object()) return 0;
  return std::count_if(kMethods.begin(), kMethods.end(),
                       [&](std::string_view method) { return path.contains(method); });
}

}  // namespace

Result<OpenApiCount> count_openapi(std::string_view document) {
  const auto json = parse(document);
  if (!json.is_object() || !(json.contains("openapi") || json.contains("swagger")) ||
      !json.contains("paths") || !json["paths"].is_object())
    return fail(Fault::subject, "what the OpenAPI address answers is no OpenAPI document in JSON",
                "point `self: openapi` at the document itself, not at a page that shows it");
  OpenApiCount count;
  for (const auto& path : json["paths"]) {
    ++count.paths;
    count.operations += operations_of(path);
  }
  return count;
}

Result<std::int64_t> count_mcp_tools(std::string_view result) {
  const auto json = parse(result);
  if (!json.is_object() || !json.contains("tools") || !json["tools"].is_array())
    return fail(Fault::subject, "the answer to tools/list holds no list of tools");
  return static_cast<std::int64_t>(json["tools"].size());
}

}  // namespace telltale::sweep
