#include "catcher/wire/hpack.hpp"

#include "catcher/wire/hpack_tables.hpp"

namespace telltale::catcher::wire {

namespace {

constexpr std::size_t kEntryOverhead = 32;  // section 4.1
constexpr int kShortestCode = 5;
constexpr int kLongestCode = 30;
constexpr std::size_t kEndOfString = 256;

// The code is canonical: of one length, codes follow the order of the symbols, and each length
// goes on where the one before ended. So the lengths are the whole table.
struct HuffmanTable {
  std::uint32_t first[kLongestCode + 1] = {};  // code, by length
  std::size_t offset[kLongestCode + 2] = {};   // into `symbols`, by length
  std::uint16_t symbols[kEndOfString + 1] = {};

  HuffmanTable() {
    std::uint32_t code = 0;
    std::size_t at = 0;
    for (std::size_t length = 1; length <= kLongestCode; ++length) {
      code <<= 1;
      first[length] = code;
      offset[length] = at;
      for (std::size_t symbol = 0; symbol <= kEndOfString; ++symbol)
        if (kHuffmanLengths[symbol] == length) {
          symbols[at++] = static_cast<std::uint16_t>(symbol);
          ++code;
        }
    }
    offset[kLongestCode + 1] = at;
  }

  // The symbol of this code, if there is one of this length.
  [[nodiscard]] std::optional<std::size_t> symbol(std::uint32_t code, std::size_t length) const {
    if (code < first[length]) return {};
    const auto at = offset[length] + (code - first[length]);
    return at < offset[length + 1] ? std::optional<std::size_t>(symbols[at]) : std::nullopt;
  }
};

// A number with a prefix of `bits` bits in `first` (section 5.1); empty when it is cut or absurd.
std::optional<std::uint64_t> prefixed_number(Reader& block, int bits, std::uint8_t first) {
  const std::uint64_t full = (1u << bits) - 1;
  std::uint64_t value = first & full;
  if (value < full) return value;
  for (int shift = 0; shift <= 28; shift += 7) {
    const auto byte = block.u8();
    if (!block.good()) return {};
    value += std::uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return {};
}

std::optional<std::string> string_literal(Reader& block) {
  const auto first = block.u8();
  const auto length = prefixed_number(block, 7, first);
  if (!length) return {};
  const auto bytes = block.take(static_cast<std::size_t>(*length));
  if (!block.good()) return {};
  if ((first & 0x80) != 0) return decode_huffman(bytes);
  return std::string(as_text(bytes));
}

}  // namespace

std::optional<std::string> decode_huffman(Bytes bytes) {
  static const HuffmanTable table;
  std::string text;
  std::uint32_t code = 0;
  std::size_t length = 0;
  for (const auto byte : bytes)
    for (int bit = 7; bit >= 0; --bit) {
      code = code << 1 | (byte >> bit & 1u);
      if (++length < kShortestCode) continue;
      const auto symbol = table.symbol(code, length);
      if (!symbol) {
        if (length == kLongestCode) return {};
        continue;
      }
      if (*symbol == kEndOfString) return {};
      text += static_cast<char>(*symbol);
      code = 0;
      length = 0;
    }
  // Padding: fewer than 8 bits, all of them ones.
  if (length > 7 || code != (1u << length) - 1) return {};
  return text;
}

std::vector<HeaderField> HpackDecoder::decode(Bytes bytes) {
  std::vector<HeaderField> fields;
  std::size_t total = 0;
  Reader block(bytes);
  while (!block.empty() && total <= kHeaderListLimit) {
    const auto first = block.u8();
    HeaderField field;
    if ((first & 0x80) != 0) {
      const auto index = prefixed_number(block, 7, first);
      auto known = index ? entry(*index) : std::nullopt;
      if (!known) break;
      field = std::move(*known);
    } else if ((first & 0xe0) == 0x20) {
      const auto size = prefixed_number(block, 5, first);
      if (!size || *size > kTableLimit) break;
      limit_ = static_cast<std::size_t>(*size);
      shrink(limit_);
      continue;
    } else {
      const bool indexed = (first & 0xc0) == 0x40;
      if (!literal(block, indexed ? 6 : 4, first, field)) break;
      if (indexed) insert(field);
    }
    total += field.first.size() + field.second.size() + kEntryOverhead;
    fields.push_back(std::move(field));
  }
  return fields;
}

std::optional<HeaderField> HpackDecoder::entry(std::uint64_t index) const {
  if (index == 0) return {};
  if (index <= kStaticFields.size()) {
    const auto& [name, value] = kStaticFields[static_cast<std::size_t>(index) - 1];
    return HeaderField(name, value);
  }
  index -= kStaticFields.size() + 1;
  return index < table_.size() ? std::optional(table_[static_cast<std::size_t>(index)])
                               : std::nullopt;
}

bool HpackDecoder::literal(Reader& block, int prefix, std::uint8_t first,
                           HeaderField& field) const {
  const auto index = prefixed_number(block, prefix, first);
  if (!index) return false;
  auto name = *index == 0 ? string_literal(block) : std::nullopt;
  if (*index != 0)
    if (auto known = entry(*index)) name = std::move(known->first);
  if (!name) return false;
  auto value = string_literal(block);
  if (!value) return false;
  field = {std::move(*name), std::move(*value)};
  return true;
}

void HpackDecoder::insert(HeaderField field) {
  const auto size = field.first.size() + field.second.size() + kEntryOverhead;
  // A field larger than the table empties it (section 4.4).
  if (size > limit_) return shrink(0);
  shrink(limit_ - size);
  size_ += size;
  table_.push_front(std::move(field));
}

void HpackDecoder::shrink(std::size_t limit) {
  while (size_ > limit) {
    const auto& oldest = table_.back();
    size_ -= oldest.first.size() + oldest.second.size() + kEntryOverhead;
    table_.pop_back();
  }
}

}  // namespace telltale::catcher::wire
