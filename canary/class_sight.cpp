#include "canary/class_sight.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "evidence/characters.hpp"

namespace telltale::canary {

namespace {

std::string class_of(const std::string& path) {
  return file_class(std::string_view(path).substr(path.rfind('/') + 1));
}

constexpr std::size_t kClassesNamed = 12;  // in the limit; the table has them all

std::string class_names(const std::vector<std::string>& classes) {
  const auto count = std::min(classes.size(), kClassesNamed);
  const auto end = classes.begin() + static_cast<std::ptrdiff_t>(count);
  auto text = fmt::format("{}", fmt::join(classes.begin(), end, ", "));
  if (classes.size() > count) text += fmt::format(" and {} more", classes.size() - count);
  return text;
}

// The canaries, by number, that were found in what the files of each class hold.
std::map<std::string, std::set<unsigned>> canaries_seen(const StoreRun& run) {
  std::map<std::string, std::set<unsigned>> seen;
  for (const auto& hit : run.search.hits) {
    const auto& pattern = run.search.patterns[hit.pattern];
    const bool in_content = hit.place == Place::content || hit.place == Place::decoded;
    if (pattern.kind == Kind::canary && in_content) seen[class_of(hit.path)].insert(pattern.number);
  }
  return seen;
}

}  // namespace

FileClasses file_classes(const StoreRun& run) {
  FileClasses classes;
  for (const auto& row : run.search.headers.rows()) classes[row.file_class] += row.files;
  return classes;
}

void add_class_sight(const std::string& keyed_name, const FileClasses& keyed,
                     const StoreRun& control, evidence::LaneRecord& record) {
  if (control.search.patterns.empty()) return;
  const auto seen = canaries_seen(control);
  evidence::Table table(
      fmt::format("What the control run shows of each class of file ({})", keyed_name),
      {"files named", "files", "canaries found in the control run"},
      "the search is known to see what the program writes where a canary was found");
  std::vector<std::string> dark;
  for (const auto& [name, files] : keyed) {
    const auto found = seen.find(name);
    const auto canaries = found == seen.end() ? std::size_t{0} : found->second.size();
    table.add({name, static_cast<std::int64_t>(files),
               fmt::format("{} of {}", canaries, control.canaries.size())});
    if (canaries == 0) dark.push_back(evidence::visible(name));
  }
  record.tables.push_back(std::move(table));
  if (!dark.empty())
    record.limits.push_back({fmt::format(
        "{}: no canary was found in the control run's files named {}, so nothing shows "
        "that one would be seen in such a file",
        keyed_name, class_names(dark))});
}

}  // namespace telltale::canary
