// One JSON record a line (attempts.jsonl, modules.jsonl, hits.jsonl), appended while a lane runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "evidence/durable_file.hpp"
#include "evidence/result.hpp"

namespace telltale::evidence {

class Masker;

class JsonLines {
 public:
  // Creates PATH.tmp. `masker` may be null (records below raw/) and must outlive this.
  [[nodiscard]] static Result<JsonLines> create(const std::filesystem::path& path,
                                                const Masker* masker);
  JsonLines(JsonLines&&) noexcept = default;
  JsonLines& operator=(JsonLines&&) = delete;
  // Not finished: what was appended is flushed and stays in PATH.tmp, so that a reader can tell.
  ~JsonLines();

  // Buffered, 64 KiB. An error is remembered and told by finish(); later records are dropped and
  // counted. Not for several threads at once.
  void append(nlohmann::json record);
  // Flush, sync, rename. The number of records; the first error, with how many records it cost.
  [[nodiscard]] Result<std::uint64_t> finish();

 private:
  JsonLines(DurableFile file, const Masker* masker);
  void flush();

  std::optional<DurableFile> file_;  // empty: finished
  const Masker* masker_;
  std::string buffer_;
  std::uint64_t buffered_ = 0;  // records in buffer_
  std::uint64_t written_ = 0;
  std::uint64_t dropped_ = 0;
  std::optional<Error> error_;
};

}  // namespace telltale::evidence
