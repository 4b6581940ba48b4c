// One run, and results.json, the one source of every report format.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "evidence/host_stamp.hpp"
#include "evidence/lane_result.hpp"
#include "evidence/result.hpp"
#include "evidence/subject_stamp.hpp"

namespace telltale::evidence {

struct ToolStamp {
  std::string name;     // "egress", "telltale"
  std::string version;  // of the release
  std::string commit;   // of the checkout it was built from, "+changes" behind it when it was not
                        // clean; "unknown" from a tarball
};

[[nodiscard]] ToolStamp tool_stamp(std::string name);

// A variable that the subject was given. A value that came from whoever ran the tool may be a
// credential of theirs, which no `secrets:` names: it is never written down.
struct GivenVariable {
  std::string name;
  std::string value;
  bool inherited = false;  // from the tool's own environment: the value stays out of every document
};

struct Run {
  ToolStamp tool;
  HostStamp host;
  SubjectStamp subject;
  Instant started = now();
  Instant ended = now();
  bool finished = false;  // false: interrupted, what follows is what was seen so far
  std::vector<GivenVariable> environment;        // given to the subject
  std::vector<std::string> environment_removed;  // names taken out (CI variables)
  std::vector<LaneResult> lanes;
  Acceptance accepted;          // of the command line; decides the exit status
  std::string evidence_folder;  // as the user names it; empty: nothing was kept
};

// The worst of its lanes; without a lane nothing was examined: not_evidence. A run that is not
// finished is at least interrupted, whatever its lanes say.
[[nodiscard]] ExitStatus exit_status(const Run& run);

// The document that evidence/results.schema.json describes (draft-07). Strings are valid UTF-8
// afterwards: a byte that is not is written as \xNN. Nothing is masked here; see mask.hpp.
[[nodiscard]] nlohmann::json to_json(const Run& run);
[[nodiscard]] nlohmann::json to_json(const LaneResult& lane);

// Indented text, one newline at the end. Characters that could drive a terminal or reorder its
// line (C1 controls, DEL, bidirectional marks) are written as \uXXXX.
[[nodiscard]] std::string to_text(const nlohmann::json& document);
// Likewise on one line, for .jsonl files.
[[nodiscard]] std::string to_line(const nlohmann::json& document);

// Writes PATH.tmp, fsyncs it, renames it over PATH and fsyncs the folder. On failure PATH is as it
// was and PATH.tmp is gone. Fault::input when the folder is missing or may not be written,
// Fault::instrument when the disk is full or fails. What is no regular file (/dev/stdout, a pipe)
// is written as it is, never replaced; a link is followed.
[[nodiscard]] Result<> write_durably(const std::filesystem::path& path, std::string_view bytes);

}  // namespace telltale::evidence
