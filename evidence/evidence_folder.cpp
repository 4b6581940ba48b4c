#include "evidence/evidence_folder.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cctype>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "evidence/durable_file.hpp"
#include "evidence/json_text.hpp"
#include "evidence/results.hpp"

namespace telltale::evidence {

namespace {

namespace fs = std::filesystem;

constexpr auto kMarkText =
    "This run has not finished, or did not get to its end. What is here is what was seen so far.\n";
constexpr auto kRawText =
    "Do not share this folder.\n"
    "\n"
    "It holds what the subject sent, printed or left behind, as it was: keys, passwords and\n"
    "personal data may be in it. Everything outside raw/ is masked and may be shared.\n";

Result<> make_folder(const fs::path& path, mode_t mode = 0755) {
  if (mkdir(path.c_str(), mode) == 0 || errno == EEXIST) return {};
  return pass_on(write_error(path, errno));
}

Result<> make_folders(const fs::path& path) {
  fs::path sofar;
  for (const auto& step : path) {
    sofar /= step;
    if (std::error_code ignored; fs::is_directory(sofar, ignored)) continue;
    if (auto made = make_folder(sofar); !made) return made;
  }
  return {};
}

auto occupied(const fs::path& path, const std::string& why) {
  return fail(Fault::input, fmt::format("the evidence folder {} {}", path.string(), why),
              "choose another --out folder, or move this one away; evidence is never overwritten");
}

Result<> check_free(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) return occupied(path, "is a file");
  const bool empty = fs::is_empty(path, error);
  if (error) return pass_on(write_error(path, error.value()));
  if (!empty) return occupied(path, "exists and is not empty");
  return {};
}

fs::path default_path(const std::string& name, Instant when) {
  const auto base = fs::path("evidence") / evidence_name(name, when);
  auto path = base;
  std::error_code ignored;
  for (int i = 2; fs::exists(path, ignored); ++i) path = fmt::format("{}-{}", base.string(), i);
  return path;
}

// `evidence/x/` and `evidence/x` are one folder; a trailing slash would add an empty step.
fs::path without_trailing_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

Result<> write_document(const fs::path& path, const nlohmann::json& document) {
  constexpr std::size_t kPiece = 64 * 1024;
  auto file = DurableFile::create(path);
  if (!file) return pass_on(file.error());
  Result<> done;
  std::string waiting;
  const auto flush = [&] {
    if (done && !waiting.empty()) done = file->write(waiting);
    waiting.clear();
  };
  write_text(document, [&](std::string_view piece) {
    waiting += piece;
    if (waiting.size() >= kPiece) flush();
  });
  flush();
  if (done) done = file->commit();
  if (!done) file->discard();
  return done;
}

}  // namespace

Result<EvidenceFolder> EvidenceFolder::create(const fs::path& out, const std::string& name,
                                              Instant when) {
  EvidenceFolder folder(out.empty() ? default_path(name, when) : without_trailing_slash(out));
  if (auto free = check_free(folder.path_); !free) return pass_on(free.error());
  if (auto made = make_folders(folder.path_); !made) return pass_on(made.error());
  if (auto marked = write_durably(folder.path_ / kUnfinishedMark, kMarkText); !marked)
    return pass_on(marked.error());
  const auto raw = folder.path_ / "raw";
  if (auto made = make_folder(raw, 0700); !made) return pass_on(made.error());
  if (auto told = write_durably(raw / "README", kRawText); !told) return pass_on(told.error());
  return folder;
}

Result<fs::path> EvidenceFolder::lane(const std::string& name) const {
  auto path = path_ / name;
  if (auto made = make_folder(path); !made) return pass_on(made.error());
  return path;
}

Result<fs::path> EvidenceFolder::raw(const std::string& name) const {
  auto path = name.empty() ? path_ / "raw" : path_ / "raw" / name;
  if (auto made = make_folder(path, 0700); !made) return pass_on(made.error());
  return path;
}

Result<> EvidenceFolder::keep(const nlohmann::json& masked_results) const {
  if (auto kept = write_document(path_ / "results.json", masked_results); !kept) return kept;
  if (!masked_results.value("finished", false)) return {};
  std::error_code error;
  fs::remove(path_ / kUnfinishedMark, error);
  if (error) return pass_on(write_error(path_ / kUnfinishedMark, error.value()));
  return {};
}

std::string evidence_name(const std::string& name, Instant when) {
  std::string safe;
  for (const char c : name)
    safe += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' ? c : '-';
  if (safe.empty() || safe[0] == '.') safe.insert(0, "run");
  const auto time = rfc3339(when);  // 2026-11-30T13:23:26.042Z
  return fmt::format("{}-{}-{}{}{}", safe, time.substr(0, 10), time.substr(11, 2),
                     time.substr(14, 2), time.substr(17, 2));
}

}  // namespace telltale::evidence
