// HPACK, the header compression of HTTP/2 (RFC 7541): the decoder only.
//
// Bounded: a header list of at most kHeaderListLimit bytes comes out of a block, whatever the block
// says; the dynamic table holds at most kTableLimit (the protocol's own default).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catcher/wire/reader.hpp"

namespace telltale::catcher::wire {

using HeaderField = std::pair<std::string, std::string>;

class HpackDecoder {
 public:
  static constexpr std::size_t kTableLimit = 4096;
  static constexpr std::size_t kHeaderListLimit = 64 * 1024;

  // The fields of one block, in order, up to a mistake or a limit.
  [[nodiscard]] std::vector<HeaderField> decode(Bytes block);

 private:
  [[nodiscard]] std::optional<HeaderField> entry(std::uint64_t index) const;
  bool literal(Reader& block, int prefix, std::uint8_t first, HeaderField& field) const;
  void insert(HeaderField field);
  void shrink(std::size_t limit);

  std::deque<HeaderField> table_;  // the newest first
  std::size_t size_ = 0;           // as RFC 7541 section 4.1 counts
  std::size_t limit_ = kTableLimit;
};

// Section 5.2; empty when the code is wrong. Public for its test.
[[nodiscard]] std::optional<std::string> decode_huffman(Bytes bytes);

}  // namespace telltale::catcher::wire
