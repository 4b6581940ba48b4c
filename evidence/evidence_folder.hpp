// The folder that a run leaves: results.json, what each lane saw, and raw/.
//
//   auto folder = EvidenceFolder::create(out, "notes", now());
//   auto lines = JsonLines::create(*folder->lane("egress") / "attempts.jsonl", &masker);
//   auto log = folder->raw("log");
//   folder->keep(masked_results);    // writes results.json; takes UNFINISHED away when it is
//
// A file UNFINISHED lies in it from the beginning and stays when the run is interrupted or dies, so
// that a folder without it is a whole one. raw/ (mode 0700) may hold what the subject leaked: the
// capture, its output, cores. Everything else is masked and may be shared.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "evidence/instant.hpp"
#include "evidence/result.hpp"

namespace telltale::evidence {

inline constexpr const char* kUnfinishedMark = "UNFINISHED";

class EvidenceFolder {
 public:
  // `out` empty: evidence/NAME-DATE/ in the working folder (with -2, -3 behind it when taken).
  // Folders on the way are made. Fault::input for a folder that holds something, a file of that
  // name, a parent that may not be written; Fault::instrument for a full disk.
  [[nodiscard]] static Result<EvidenceFolder> create(const std::filesystem::path& out,
                                                     const std::string& name, Instant when);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // PATH/NAME, made on first use.
  [[nodiscard]] Result<std::filesystem::path> lane(const std::string& name) const;
  // PATH/raw, or PATH/raw/NAME, made on first use.
  [[nodiscard]] Result<std::filesystem::path> raw(const std::string& name = {}) const;

  // Writes results.json durably. A document with finished:true takes UNFINISHED away, after
  // results.json is on the disk. May be called again with more.
  [[nodiscard]] Result<> keep(const nlohmann::json& masked_results) const;

 private:
  explicit EvidenceFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

// "notes-2026-11-30-132326"; what cannot stand in a file name becomes "-".
[[nodiscard]] std::string evidence_name(const std::string& name, Instant when);

}  // namespace telltale::evidence
