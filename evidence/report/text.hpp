#pragma once

#include "evidence/report/format.hpp"

namespace telltale::evidence {

[[nodiscard]] const ReportFormat& text_report();

}  // namespace telltale::evidence
