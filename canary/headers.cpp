#include "canary/headers.hpp"

#include <algorithm>
#include <set>

#include "canary/magic.hpp"

namespace telltale::canary {

namespace {

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

// Hashes, and the segments of PostgreSQL's write-ahead log.
bool is_long_hex(std::string_view name) {
  return name.size() >= 16 && name.find_first_not_of("0123456789abcdefABCDEF") == name.npos;
}

std::string numbers_folded(std::string_view name) {
  std::string folded;
  for (const char character : name) {
    if (!is_digit(character))
      folded += character;
    else if (folded.empty() || folded.back() != 'N')
      folded += 'N';
  }
  return folded;
}

bool is_text(char character) {
  const auto value = static_cast<unsigned char>(character);
  return (value >= 0x20 && value != 0x7F) || character == '\n' || character == '\r' ||
         character == '\t';
}

// Every byte of the head, not of its first 16 alone: 16 random bytes are all above 0x1F one time
// in 9.
std::string known_as(std::string_view head, std::string_view tail) {
  if (const auto* magic = find_magic(head)) return std::string(magic->name);
  if (const auto* magic = find_footer_magic(tail)) return std::string(magic->name);
  if (head.find_first_not_of('\0') == std::string_view::npos) return "zeros";
  if (std::all_of(head.begin(), head.end(), is_text)) return "text";
  return "no known magic";
}

}  // namespace

std::string file_class(std::string_view file_name) {
  if (is_long_hex(file_name)) return "HEX";
  const auto dot = file_name.rfind('.');
  const auto extension = dot == std::string_view::npos || dot == 0 ? "" : file_name.substr(dot);
  const bool named =
      extension.size() > 1 && !std::all_of(extension.begin() + 1, extension.end(), is_digit);
  return numbers_folded(named ? extension : file_name);
}

void HeaderTable::add(const std::string& path, std::string_view head, std::string_view tail) {
  const auto name = std::string_view(path).substr(path.rfind('/') + 1);
  auto& group = groups_[{file_class(name), known_as(head, tail)}];
  ++group.files;
  std::array<char, 16> value{};
  std::copy_n(head.begin(), std::min(head.size(), value.size()), value.begin());
  group.values.push_back(value);
  if (group.example.empty() || path < group.example) group.example = path;
}

void HeaderTable::merge(const HeaderTable& other) {
  for (const auto& [key, group] : other.groups_) {
    auto& mine = groups_[key];
    mine.files += group.files;
    mine.values.insert(mine.values.end(), group.values.begin(), group.values.end());
    if (mine.example.empty() || group.example < mine.example) mine.example = group.example;
  }
}

void HeaderTable::name_root(const std::string& root, const std::string& name) {
  for (auto& [key, group] : groups_)
    if (group.example.starts_with(root)) group.example.replace(0, root.size(), name);
}

std::vector<HeaderRow> HeaderTable::rows() const {
  std::vector<HeaderRow> rows;
  for (const auto& [key, group] : groups_) {
    const std::set<std::array<char, 16>> distinct(group.values.begin(), group.values.end());
    rows.push_back({key.first, key.second, group.files, distinct.size(), group.example});
  }
  return rows;
}

}  // namespace telltale::canary
