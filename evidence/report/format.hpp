// A report format: one file, one registration. It is made from results.json alone.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

namespace telltale::evidence {

struct ReportOptions {
  bool color = false;
  bool verbose = false;  // -v: every row, every waived thing
};

class ReportFormat {
 public:
  virtual ~ReportFormat() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;         // as --format takes it
  [[nodiscard]] virtual std::string_view description() const = 0;  // one line, for --help
  virtual void write(const nlohmann::json& results, const ReportOptions& options,
                     std::ostream& out) const = 0;
};

// Every registered format, in the order in which --help lists them.
[[nodiscard]] const std::vector<const ReportFormat*>& report_formats();
// nullptr when there is none of that name.
[[nodiscard]] const ReportFormat* find_report_format(std::string_view name);

}  // namespace telltale::evidence
