// Figures. A timing is made with the host it was measured on, or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace telltale::evidence {

struct HostStamp;

using Value = std::variant<std::int64_t, double, std::string, bool>;

class Row {
 public:
  // A count, a size, a word. `unit` is "" for words and plain counts; else "B", "files", ...
  Row(std::string name, Value value, std::string unit = {}, std::string note = {})
      : name_(std::move(name)),
        value_(std::move(value)),
        unit_(std::move(unit)),
        note_(std::move(note)) {}

  // A duration or a rate. The host must have been read (host.cpu is not empty), else this throws
  // std::invalid_argument: a number without its machine is not a number.
  static Row timing(std::string name, double value, std::string unit, const HostStamp& host,
                    std::string note = {});

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Value& value() const { return value_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] const std::string& note() const { return note_; }
  [[nodiscard]] bool is_timing() const { return timing_; }

 private:
  std::string name_;
  Value value_;
  std::string unit_;
  std::string note_;
  bool timing_ = false;
};

// Rows with the same columns: the per-call table, one line a module, one line a build.
class Table {
 public:
  Table(std::string title, std::vector<std::string> columns, std::string note = {})
      : title_(std::move(title)), columns_(std::move(columns)), note_(std::move(note)) {}

  // A table that holds timings; throws like Row::timing.
  static Table timing(std::string title, std::vector<std::string> columns, const HostStamp& host,
                      std::string note = {});

  // One cell a column; throws std::invalid_argument when the count differs.
  void add(std::vector<Value> cells);

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::vector<Value>>& rows() const { return rows_; }
  [[nodiscard]] const std::string& note() const { return note_; }
  [[nodiscard]] bool is_timing() const { return timing_; }

 private:
  std::string title_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Value>> rows_;
  std::string note_;
  bool timing_ = false;
};

// "12", "3.25", "yes": a value as a person reads it, without its unit.
[[nodiscard]] std::string display(const Value& value);

}  // namespace telltale::evidence
