#include "catcher/written_record.hpp"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "catcher/written_files.hpp"
#include "evidence/characters.hpp"
#include "evidence/json_lines.hpp"

namespace telltale::catcher {

namespace {

constexpr std::size_t kShownFiles = 12;

Result<std::optional<evidence::JsonLines>> open_lines(subject::LaneContext& context) {
  if (context.folder == nullptr) return std::nullopt;
  const auto folder = context.folder->lane("egress");
  if (!folder) return pass_on(folder.error());
  auto lines = evidence::JsonLines::create(*folder / "written.jsonl", &context.masker);
  if (!lines) return pass_on(std::move(lines.error()));
  return std::optional(std::move(*lines));
}

// Counts, and keeps the first few for the rows.
class WrittenTally {
 public:
  void add(const WrittenFile& file) {
    ++counts_[file.change];
    ++total_;
    if (std::string_view(file.change) != "deleted") bytes_ += file.size;
    if (shown_.size() < kShownFiles) shown_.push_back(file);
  }

  void write(evidence::LaneRecord& record) const {
    std::string note;
    for (const auto& [change, count] : counts_) note += fmt::format("{} {}, ", count, change);
    record.rows.emplace_back("files written", static_cast<std::int64_t>(total_), "",
                             note + fmt::format("{} B; thrown away", bytes_));
    for (const auto& file : shown_)
      record.rows.emplace_back("written", file.path, "",
                               fmt::format("{} {}, {} B", file.change, file.kind, file.size));
    if (total_ > shown_.size())
      record.rows.emplace_back("written besides", static_cast<std::int64_t>(total_ - shown_.size()),
                               "", "all of them are in egress/written.jsonl, with --out");
  }

 private:
  std::map<std::string, std::uint64_t> counts_;
  std::uint64_t total_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<WrittenFile> shown_;
};

}  // namespace

Result<> record_written(const std::vector<OverlaidFolder>& folders, subject::LaneContext& context,
                        evidence::LaneRecord& record) {
  if (folders.empty()) return {};
  auto lines = open_lines(context);
  if (!lines) return pass_on(std::move(lines.error()));
  WrittenTally tally;
  for_each_written(folders, [&](const WrittenFile& file) {
    tally.add(file);
    if (*lines)
      (*lines)->append({{"path", evidence::valid_utf8(file.path)},
                        {"kind", file.kind},
                        {"change", file.change},
                        {"size_bytes", file.size}});
  });
  tally.write(record);
  if (!*lines) return {};
  const auto written = (*lines)->finish();
  return written ? Result<>() : pass_on(written.error());
}

}  // namespace telltale::catcher
