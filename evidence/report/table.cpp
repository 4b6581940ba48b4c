// Tables of a Page: columns as wide as their cells, narrowed and wrapped until the line fits.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "evidence/characters.hpp"
#include "evidence/report/page.hpp"

namespace telltale::evidence {

namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 7;

bool is_number(const std::string& cell) {
  return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) || cell[0] == '-') &&
         cell.find_first_not_of("0123456789.+-e") == std::string::npos;
}

std::vector<std::size_t> natural_widths(const Cells& heads, const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& head : heads) widths.push_back(std::max<std::size_t>(columns(head), 1));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i)
      widths[i] = std::max(widths[i], columns(row[i]));
  return widths;
}

std::size_t total(const std::vector<std::size_t>& widths) {
  std::size_t sum = kIndent;
  for (const auto width : widths) sum += width + kGap;
  return sum - kGap;
}

// Takes from the widest column until the line fits; false when it cannot.
bool narrow(std::vector<std::size_t>& widths) {
  while (total(widths) > kPageWidth) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrowest) return false;
    --*widest;
  }
  return true;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const auto used = columns(text);
  const std::string space(width > used ? width - used : 0, ' ');
  return right ? space + text : text + space;
}

void write_row(Page& page, const Cells& cells, const std::vector<std::size_t>& widths,
               const std::vector<bool>& right) {
  std::vector<Cells> wrapped;
  std::size_t height = 1;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    wrapped.push_back(wrap(i < cells.size() ? cells[i] : "", widths[i], "", ""));
    height = std::max(height, wrapped.back().size());
  }
  for (std::size_t y = 0; y < height; ++y) {
    std::string line(kIndent, ' ');
    for (std::size_t i = 0; i < widths.size(); ++i)
      line += padded(y < wrapped[i].size() ? wrapped[i][y] : "", widths[i], right[i]) +
              std::string(kGap, ' ');
    page.line(line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

// More columns than the page has room for: one block a row, one line a cell.
void write_blocks(Page& page, const Cells& heads, const std::vector<Cells>& rows) {
  std::size_t width = 0;
  for (const auto& head : heads) width = std::max(width, columns(head));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < std::min(heads.size(), row.size()); ++i)
      page.labelled(heads[i], row[i], std::min<std::size_t>(width, 30));
    if (&row != &rows.back()) page.line();
  }
}

}  // namespace

void Page::table(const std::vector<std::string>& heads,
                 const std::vector<std::vector<std::string>>& rows) {
  auto widths = natural_widths(heads, rows);
  if (widths.empty()) return;
  if (!narrow(widths)) return write_blocks(*this, heads, rows);
  std::vector<bool> right(heads.size(), false);
  for (std::size_t i = 0; i < heads.size(); ++i)
    right[i] = !rows.empty() && std::all_of(rows.begin(), rows.end(), [&](const Cells& row) {
      return i < row.size() && is_number(row[i]);
    });
  write_row(*this, heads, widths, right);
  for (const auto& row : rows) write_row(*this, row, widths, right);
}

}  // namespace telltale::evidence
