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
  std::string commit;   // of the checkout it was built from; "unknown" from a tarball
};

[[nodiscard]] ToolStamp tool_stamp(std::string name);

struct Run {
  ToolStamp tool;
  HostStamp host;
  SubjectStamp subject;
  Instant started = now();
  Instant ended = now();
  bool finished = false;  // false: interrupted, what follows is what was seen so far
  std::vector<std::pair<std::string, std::string>> environment;  // given to the subject; masked
  std::vector<std::string> environment_removed;                  // names taken out (CI variables)
  std::vector<LaneResult> lanes;
};

// The document that evidence/results.schema.json describes (draft-07).
[[nodiscard]] nlohmann::json to_json(const Run& run);

// Writes PATH.tmp, fsyncs it, renames it over PATH and fsyncs the folder.
[[nodiscard]] Result<> write_durably(const std::filesystem::path& path, std::string_view bytes);

}  // namespace telltale::evidence
