#include "evidence/row.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "evidence/host_stamp.hpp"

namespace telltale::evidence {

namespace {
void require_host(const HostStamp& host) {
  if (host.cpu.empty()) throw std::invalid_argument("a timing needs the host it was measured on");
}
}  // namespace

Row Row::timing(std::string name, double value, std::string unit, const HostStamp& host,
                std::string note) {
  require_host(host);
  Row row(std::move(name), value, std::move(unit), std::move(note));
  row.timing_ = true;
  return row;
}

Table Table::timing(std::string title, std::vector<std::string> columns, const HostStamp& host,
                    std::string note) {
  require_host(host);
  Table table(std::move(title), std::move(columns), std::move(note));
  table.timing_ = true;
  return table;
}

void Table::add(std::vector<Value> cells) {
  if (cells.size() != columns_.size())
    throw std::invalid_argument(
        fmt::format("table \"{}\" has {} columns, not {}", title_, columns_.size(), cells.size()));
  rows_.push_back(std::move(cells));
}

std::string display(const Value& value) {
  struct Display {
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const {
      // Never "1.235e+05": a person reads this.
      return std::abs(number) >= 1e4 && std::abs(number) < 1e15 ? fmt::format("{:.0f}", number)
                                                                : fmt::format("{:.4g}", number);
    }
    std::string operator()(const std::string& word) const { return word; }
    std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
  };
  return std::visit(Display{}, value);
}

}  // namespace telltale::evidence
