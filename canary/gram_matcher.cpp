// Theory of operation. What is searched for is long, so most bytes need not be looked at. Let m be
// the length of the shortest literal, s = m - 3, and a gram the 4 bytes at a position. An
// occurrence of any literal has exactly one of its first s grams at one of the positions s - 1, 2s
// - 1, 3s - 1, ... of the buffer. So the gram at each of these is looked up among the first s grams
// of every literal: for canaries of 24 characters one look-up in 21 bytes. A look-up is one
// multiplication and one byte of a table; what passes is compared byte for byte. It needs no vector
// instructions, so there is one code path to trust.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "canary/matcher.hpp"

namespace telltale::canary {

namespace {

using Gram = std::uint32_t;
constexpr std::size_t kGram = sizeof(Gram);

Gram load(const char* at) {
  Gram gram = 0;
  std::memcpy(&gram, at, kGram);
  return gram;
}

// Where a gram stands in a literal.
struct Anchor {
  Gram gram = 0;
  std::size_t literal = 0;
  std::size_t at = 0;
};

bool by_gram(const Anchor& a, const Anchor& b) {
  return a.gram < b.gram;
}

class GramMatcher final : public Matcher {
 public:
  explicit GramMatcher(std::vector<std::string> literals) : literals_(std::move(literals)) {
    if (literals_.empty()) throw std::invalid_argument("a matcher needs a literal");
    const auto [shortest, longest] =
        std::minmax_element(literals_.begin(), literals_.end(),
                            [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (shortest->size() < kGram) throw std::invalid_argument("a literal is shorter than 4 bytes");
    stride_ = shortest->size() - kGram + 1;
    longest_ = longest->size();
    add_anchors();
    add_slots();
  }

  void find(std::string_view buffer, std::vector<Match>& found) const override;
  [[nodiscard]] std::size_t longest() const override { return longest_; }
  [[nodiscard]] std::size_t length(std::size_t literal) const override {
    return literals_[literal].size();
  }

 private:
  void add_anchors() {
    for (std::size_t literal = 0; literal < literals_.size(); ++literal)
      for (std::size_t at = 0; at < stride_; ++at)
        anchors_.push_back({load(literals_[literal].data() + at), literal, at});
    std::stable_sort(anchors_.begin(), anchors_.end(), by_gram);
  }

  // 128 slots or more for each gram: at most one group of eight look-ups in 16 passes by accident.
  // Measured: that is worth more than a table that fits the first-level cache, and a slot of a byte
  // is two to three times as fast as one of a bit. 16 KiB (for 6 literals) to 1 MiB.
  void add_slots() {
    const auto wanted =
        std::bit_ceil(std::clamp<std::size_t>(anchors_.size() * 128, 1U << 14, 1U << 20));
    shift_ = 32U - static_cast<unsigned>(std::countr_zero(wanted));
    slots_.assign(wanted, 0);
    for (const auto& anchor : anchors_) slots_[slot_of(anchor.gram)] = 1;
  }

  [[nodiscard]] std::uint32_t slot_of(Gram gram) const { return gram * 0x9E3779B1U >> shift_; }
  [[nodiscard]] std::uint8_t passes(const char* at) const { return slots_[slot_of(load(at))]; }
  void confirm(std::string_view buffer, std::size_t position, std::vector<Match>& found) const;

  std::vector<std::string> literals_;
  std::size_t stride_ = 0;
  std::size_t longest_ = 0;
  unsigned shift_ = 0;
  std::vector<std::uint8_t> slots_;
  std::vector<Anchor> anchors_;  // by gram
};

void GramMatcher::confirm(std::string_view buffer, std::size_t position,
                          std::vector<Match>& found) const {
  if (passes(buffer.data() + position) == 0) return;
  const Anchor wanted{load(buffer.data() + position), 0, 0};
  const auto [first, last] = std::equal_range(anchors_.begin(), anchors_.end(), wanted, by_gram);
  for (auto anchor = first; anchor != last; ++anchor) {
    if (anchor->at > position) continue;
    const auto start = position - anchor->at;
    const auto& literal = literals_[anchor->literal];
    if (buffer.substr(start, literal.size()) == literal) found.push_back({start, anchor->literal});
  }
}

// Eight look-ups and one branch at a time: the branch is what would cost.
void GramMatcher::find(std::string_view buffer, std::vector<Match>& found) const {
  const auto before = static_cast<std::ptrdiff_t>(found.size());
  const char* data = buffer.data();
  const auto stride = stride_;
  std::size_t position = stride - 1;
  for (; position + 7 * stride + kGram <= buffer.size(); position += 8 * stride) {
    const char* at = data + position;
    const auto any = passes(at) | passes(at + stride) | passes(at + 2 * stride) |
                     passes(at + 3 * stride) | passes(at + 4 * stride) | passes(at + 5 * stride) |
                     passes(at + 6 * stride) | passes(at + 7 * stride);
    if (any == 0) [[likely]]
      continue;
    for (std::size_t i = 0; i < 8; ++i) confirm(buffer, position + i * stride, found);
  }
  for (; position + kGram <= buffer.size(); position += stride) confirm(buffer, position, found);
  std::sort(found.begin() + before, found.end(), [](const Match& a, const Match& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.literal < b.literal;
  });
}

}  // namespace

std::unique_ptr<Matcher> make_gram_matcher(std::vector<std::string> literals) {
  return std::make_unique<GramMatcher>(std::move(literals));
}

}  // namespace telltale::canary
