#include "evidence/report/json.hpp"

#include <ostream>

#include "evidence/json_text.hpp"

namespace telltale::evidence {

namespace {

class JsonReport final : public ReportFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "json"; }
  [[nodiscard]] std::string_view description() const override {
    return "results.json itself, for programs";
  }
  void write(const nlohmann::json& results, const ReportOptions&,
             std::ostream& out) const override {
    write_text(results, [&](std::string_view piece) { out << piece; });
  }
};

}  // namespace

const ReportFormat& json_report() {
  static const JsonReport report;
  return report;
}

}  // namespace telltale::evidence
