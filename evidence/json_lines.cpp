#include "evidence/json_lines.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "evidence/mask.hpp"
#include "evidence/results.hpp"

namespace telltale::evidence {

namespace {
constexpr std::size_t kBuffer = 64 * 1024;
}

Result<JsonLines> JsonLines::create(const std::filesystem::path& path, const Masker* masker) {
  auto file = DurableFile::create(path);
  if (!file) return pass_on(file.error());
  return JsonLines(std::move(*file), masker);
}

JsonLines::JsonLines(DurableFile file, const Masker* masker)
    : file_(std::move(file)), masker_(masker) {}

JsonLines::~JsonLines() {
  if (file_) flush();
}

void JsonLines::append(nlohmann::json record) {
  if (masker_ != nullptr) masker_->mask(record);
  buffer_ += to_line(record);
  ++buffered_;
  if (buffer_.size() >= kBuffer) flush();
}

void JsonLines::flush() {
  if (!error_ && !buffer_.empty()) {
    if (auto done = file_->write(buffer_); !done) error_ = done.error();
  }
  (error_ ? dropped_ : written_) += buffered_;
  buffered_ = 0;
  buffer_.clear();
}

Result<std::uint64_t> JsonLines::finish() {
  if (!file_) return written_;
  flush();
  if (!error_) {
    if (auto done = file_->commit(); !done) error_ = done.error();
  }
  file_.reset();
  if (!error_) return written_;
  if (dropped_ > 0) error_->what += fmt::format(" ({} records are lost)", dropped_);
  return pass_on(*error_);
}

}  // namespace telltale::evidence
