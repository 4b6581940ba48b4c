// go.sum alone. It is a superset: it keeps hashes of versions that were only looked at, and of
// modules for other platforms, so "absent" here may concern a module that nothing needs. Entries
// that have a go.mod hash and no zip hash were never downloaded as code and are not asked.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "sweep/readers/go_mod_syntax.hpp"
#include "sweep/readers/go_readers.hpp"
#include "sweep/readers/go_sum_lines.hpp"
#include "sweep/text.hpp"

namespace telltale::sweep {

namespace {

constexpr std::size_t kMostGoSum = 64 << 20;
constexpr std::string_view kModSuffix = "/go.mod";
constexpr const char* kTidyGoSum =
    "run \"go mod tidy\" in the module's folder, which writes it again";

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> found;
  for (auto& word : split(line, ' '))
    if (!trim(word).empty()) found.emplace_back(trim(word));
  return found;
}

bool is_base64(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '/' || c == '=';
  });
}

// "h1:" and 32 bytes in base64. Other algorithms are let through: go ignores what it does not know.
bool is_whole_hash(std::string_view hash) {
  if (hash.starts_with("h1:"))
    return hash.size() == 47 && hash.back() == '=' && is_base64(hash.substr(3));
  return hash.find(':') != std::string_view::npos && hash.back() != ':';
}

Result<> add(GoSums& sums, std::vector<std::string> columns, const std::string& file, int line) {
  auto& version = columns[1];
  const bool mod = version.ends_with(kModSuffix);
  if (mod) version.resize(version.size() - kModSuffix.size());
  auto& entry = sums.entries[{columns[0], version}];
  if (entry.line == 0) entry.line = line;
  auto& hash = mod ? entry.mod : entry.zip;
  if (hash == columns[2])
    return line_fault(file, line,
                      fmt::format("repeats an earlier line for {}: the file was written twice or "
                                  "merged badly",
                                  columns[0]),
                      kTidyGoSum);
  if (!hash.empty())
    return line_fault(
        file, line,
        fmt::format("another hash for {} {} than line {} gives", columns[0], version, entry.line),
        "find out which one is right before anything is built from either");
  hash = columns[2];
  return {};
}

class GoSumReader final : public Reader {
 public:
  std::string_view name() const override { return "go.sum"; }
  std::string_view description() const override { return "go.sum"; }

  bool recognises(const std::filesystem::path& file, std::string_view first_bytes) const override {
    if (file.filename() == "go.sum") return true;
    const auto line = words(first_bytes.substr(0, first_bytes.find('\n')));
    return line.size() == 3 && line[2].starts_with("h1:");
  }

  Result<Reading> read(const std::filesystem::path& file) const override {
    auto text = read_text(file, kMostGoSum);
    if (!text) return pass_on(text.error());
    auto sums = parse_go_sum(*text, file.string());
    if (!sums) return pass_on(sums.error());
    Reading reading;
    reading.source = file.filename().string();
    reading.ecosystem = "go";
    reading.claim = "go.sum has the hash of";
    reading.weaker = true;
    reading.limits = {
        "go.sum lists more than the program needs (versions that were only looked at, other "
        "platforms); its binary or go.mod says what is needed"};
    for (const auto& [key, entry] : sums->entries)
      reading.modules.push_back(module(key.first, key.second, entry, file.filename().string()));
    return reading;
  }

 private:
  static Module module(const std::string& path, const std::string& version,
                       const GoSums::Entry& entry, const std::string& file) {
    Module module;
    module.ecosystem = "go";
    module.path = path;
    module.version = version;
    module.sum = entry.zip;
    module.origin = fmt::format("{}:{}", file, entry.line);
    if (entry.zip.empty()) {
      module.kind = ModuleKind::graph_only;
      module.reason = "only its go.mod was read, to choose versions";
    }
    return module;
  }
};

}  // namespace

Result<GoSums> parse_go_sum(std::string_view text, const std::string& file) {
  GoSums sums;
  int number = 0;
  for (const auto& line : split(text, '\n')) {
    ++number;
    auto columns = words(line);
    if (columns.empty()) continue;
    if (columns.size() != 3 || !is_printable(line))
      return line_fault(file, number, fmt::format("is no go.sum line: \"{}\"", excerpt(line)),
                        kTidyGoSum);
    if (!is_whole_hash(columns[2]))
      return line_fault(file, number, "the hash is damaged or cut off", kTidyGoSum);
    if (auto added = add(sums, std::move(columns), file, number); !added)
      return pass_on(added.error());
  }
  return sums;
}

const Reader& go_sum_reader() {
  static const GoSumReader reader;
  return reader;
}

}  // namespace telltale::sweep
