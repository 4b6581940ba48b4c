#pragma once

#include "evidence/report/format.hpp"

namespace telltale::evidence {

[[nodiscard]] const ReportFormat& json_report();

}  // namespace telltale::evidence
