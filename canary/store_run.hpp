// One run of the subject for the cipher lane: start, write the canaries, read them back, stop, and
// search everything that it left on the disk.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "canary/output_watch.hpp"
#include "canary/search_result.hpp"
#include "evidence/result.hpp"
#include "subject/lane_context.hpp"
#include "subject/launch.hpp"
#include "subject/specification.hpp"

namespace telltale::canary {

struct StoreRunPlan {
  std::string name;  // "keyed", "control", the name of a variant
  const subject::Difference* difference = nullptr;
  std::filesystem::path binary;  // of a variant; empty: the subject's own
};

struct StoreRun {
  std::string name;
  // The program's own words when it refused to start or to write, quoted; empty: it did both. A
  // refusal is a result: nothing after it was done.
  std::string refusal;
  bool never_started = false;  // and `refusal` is why: there was no program that could say anything
  std::vector<std::string> canaries;  // ${canary.1}, ...
  std::vector<bool> read_back;        // by canary: an answer of a `read:` step held it
  std::vector<bool> decrypted;        // by canary, when `decrypt:` was run: its output held it
  std::string decrypt_failure;        // why it gave nothing
  std::vector<Pattern> patterns;      // canaries, key, secrets
  SearchResult search;                // paths begin with "${work}" where they lie in it
  std::vector<OutputHit> output;      // in what it printed
  std::uint64_t output_bytes = 0;
  std::uint64_t data_files = 0;          // in the data folders
  std::vector<std::string> empty_data;   // "PATH is not there", "PATH holds no file": of `data:`
  std::vector<std::string> outside;      // files that it wrote elsewhere below its work folder
  std::uint64_t stray_files = 0;         // looked at in the shared folders (stray_files.hpp)
  bool stray_files_cut = false;          // there were too many of them
  std::vector<std::string> handed_over;  // files in which this tool itself gave it the key
  std::filesystem::path work;            // gone by now; findings are shown relative to it
  subject::StopReport stop;
  int stop_signal = 0;  // what it was asked to stop with
};

// The work folder is removed before this returns. Fails as instrument, input or interrupted; what
// the subject did is in the result.
[[nodiscard]] Result<StoreRun> run_store(const subject::Specification& specification,
                                         subject::LaneContext& context, const StoreRunPlan& plan);

}  // namespace telltale::canary
