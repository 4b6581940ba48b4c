#include "canary/unpack/descent.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "canary/magic.hpp"
#include "canary/scanner.hpp"
#include "canary/stream.hpp"

namespace telltale::canary {

namespace {

class MemoryBlob final : public Blob {
 public:
  explicit MemoryBlob(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] ssize_t read_at(std::uint64_t offset, char* into, std::size_t size) const override {
    if (offset >= bytes_.size()) return 0;
    const auto part = bytes_.substr(offset, size);
    std::memcpy(into, part.data(), part.size());
    return static_cast<ssize_t>(part.size());
  }

 private:
  std::string_view bytes_;
};

std::string join(const std::string& inside, std::string_view decoder, std::string_view member) {
  auto joined = inside.empty() ? std::string(decoder) : fmt::format("{} > {}", inside, decoder);
  if (!member.empty()) joined += fmt::format(" > {}", member);
  return joined;
}

}  // namespace

// Searches one decoded stream after another, and keeps one that is an archive itself until it ends.
class Descent::DecodedStream final : public Output {
 public:
  DecodedStream(Descent& descent, std::string prefix, std::string_view decoder, unsigned depth)
      : descent_(descent),
        prefix_(std::move(prefix)),
        decoder_(decoder),
        depth_(depth),
        stream_(std::in_place, descent.matcher_) {}
  ~DecodedStream() override = default;

  void begin(std::string_view member) override {
    finish();
    inside_ = join(prefix_, decoder_, member);
    stream_.emplace(descent_.matcher_);
  }
  [[nodiscard]] bool write(std::string_view bytes) override;
  void finish();

 private:
  void keep(std::string_view bytes);
  void report(std::string why) {
    descent_.unseen_.push_back(
        {descent_.path_, fmt::format("> {} {}", inside_, why), Unseen::Cause::undecoded});
  }

  Descent& descent_;
  std::string prefix_;
  std::string_view decoder_;
  unsigned depth_;
  std::string inside_;
  std::optional<Stream> stream_;  // a new one for each begin()
  std::vector<StreamMatch> matches_;
  Occurrences found_;
  std::string kept_;  // the head; all of it while it may be an archive
  bool overflowed_ = false;
};

bool Descent::DecodedStream::write(std::string_view bytes) {
  descent_.decoded_ += bytes.size();
  matches_.clear();
  stream_->feed(bytes, matches_);
  for (const auto& match : matches_) found_.add(match.literal, match.offset);
  keep(bytes);
  if (descent_.stopped_()) return false;
  const auto limit = descent_.limit_reached();
  if (!limit.empty()) report(limit);
  return limit.empty();
}

void Descent::DecodedStream::keep(std::string_view bytes) {
  if (overflowed_ || (kept_.size() >= kHeadSize && find_unpacker(kept_) == nullptr)) return;
  kept_.append(bytes);
  overflowed_ = kept_.size() > descent_.limits_.nested;
  if (overflowed_) kept_.resize(std::min(kept_.size(), kHeadSize));
}

void Descent::DecodedStream::finish() {
  found_.append_hits(descent_.path_, Place::decoded, inside_, descent_.hits_);
  found_ = {};
  const auto kept = std::move(kept_);
  kept_.clear();
  if (overflowed_ && find_unpacker(kept) != nullptr)
    report(
        fmt::format("is an archive of more than {} bytes, which is not opened inside another one",
                    descent_.limits_.nested));
  else if (!kept.empty())
    descent_.open(MemoryBlob(kept), std::string_view(kept).substr(0, kHeadSize), inside_,
                  depth_ + 1);
  overflowed_ = false;
}

void Descent::open(const Blob& blob, std::string_view head, const std::string& inside,
                   unsigned depth) {
  const auto* unpacker = find_unpacker(head);
  const auto report = [&](const std::string& why) {
    const auto sentence = inside.empty() ? why : fmt::format("> {} {}", inside, why);
    unseen_.push_back({path_, sentence, Unseen::Cause::undecoded});
  };
  if (unpacker == nullptr) {
    if (const auto* magic = find_magic(head); magic != nullptr && magic->hides_content)
      report(fmt::format("is {} by its first bytes, which this search does not open", magic->name));
    return;
  }
  if (depth > limits_.depth) {
    report(fmt::format("is an archive inside {} others, and is not opened", depth - 1));
    return;
  }
  DecodedStream output(*this, inside, unpacker->name(), depth);
  const auto unpacked = unpacker->unpack(blob, output);
  output.finish();
  passed_over_ += unpacked.passed_over;
  if (!unpacked.incomplete.empty()) report(unpacked.incomplete);
}

std::string Descent::limit_reached() const {
  if (decoded_ > limits_.decoded)
    return fmt::format("gives more than {} bytes; the rest was not decoded", limits_.decoded);
  if (decoded_ > limits_.ratio_from && decoded_ / limits_.ratio > size_)
    return fmt::format(
        "gives more than {} bytes for each byte of the file; the rest was not decoded",
        limits_.ratio);
  return "";
}

}  // namespace telltale::canary
