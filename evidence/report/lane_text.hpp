// One lane of a results document as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "evidence/report/format.hpp"
#include "evidence/report/page.hpp"

namespace telltale::evidence {

void write_lane(const nlohmann::json& lane, const ReportOptions& options, Page& page);

[[nodiscard]] Ink ink_of(std::string_view verdict);

}  // namespace telltale::evidence
