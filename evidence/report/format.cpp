#include "evidence/report/format.hpp"

#include "evidence/report/json.hpp"
#include "evidence/report/text.hpp"

namespace telltale::evidence {

// One line a format. A static registration of its own would be dropped by the linker of a static
// library, and its order would not be ours.
const std::vector<const ReportFormat*>& report_formats() {
  static const std::vector<const ReportFormat*> formats{&text_report(), &json_report()};
  return formats;
}

const ReportFormat* find_report_format(std::string_view name) {
  for (const auto* format : report_formats())
    if (format->name() == name) return format;
  return nullptr;
}

}  // namespace telltale::evidence
