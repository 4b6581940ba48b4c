// A page of 80 columns for a person. Every text that is not the report's own passes visible()
// before it gets here (field(), shown()), so that a subject cannot forge a line or a colour.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::evidence {

inline constexpr std::size_t kPageWidth = 80;

enum class Ink { plain, good, bad, doubtful, strong };

class Page {
 public:
  Page(std::ostream& out, bool color) : out_(out), color_(color) {}

  void line(std::string_view text = {});
  // Wrapped; the first line starts with `first`, the others with as many spaces. A `first` of more
  // than half a page is wrapped with the text.
  void paragraph(std::string_view text, std::string_view first = {});
  // Likewise; `mark`, the beginning of `first + text`, is shown in `ink`.
  void marked(Ink ink, std::string_view mark, std::string_view text, std::string_view first = {});
  // "-- egress -----------------"
  void rule(std::string_view title);
  void heading(std::string_view title);
  // "  label     value", the value wrapped in its own column.
  void labelled(std::string_view label, std::string_view value, std::size_t label_width);
  // Cells are visible text; columns whose every cell is a number are set to the right.
  void table(const std::vector<std::string>& columns,
             const std::vector<std::vector<std::string>>& rows);

 private:
  [[nodiscard]] std::string inked(Ink ink, std::string_view text) const;

  std::ostream& out_;
  bool color_;
};

// A member of an object; null when there is none, or when it is no object.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* name);
// A string of a results document as visible text; "" when it is missing or no string.
[[nodiscard]] std::string field(const nlohmann::json& object, const char* name);
// A row's or cell's value: number, word, yes or no.
[[nodiscard]] std::string shown(const nlohmann::json& value);
// An array of the document; an empty one when it is missing.
[[nodiscard]] const nlohmann::json& items(const nlohmann::json& object, const char* name);
[[nodiscard]] bool flag(const nlohmann::json& object, const char* name);
// "2026-11-30T13:23:26.042Z" -> "2026-11-30 13:23:26 UTC"
[[nodiscard]] std::string moment(const std::string& rfc3339);
// "16777216 B (16.0 MiB)", "12 calls", "3"
[[nodiscard]] std::string with_unit(const nlohmann::json& value, const std::string& unit);
[[nodiscard]] std::string joined(const nlohmann::json& words, std::string_view separator = ", ");

}  // namespace telltale::evidence
