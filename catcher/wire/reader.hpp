// Reads foreign bytes from the front, big-endian.
//
// A read past the end gives zeros or nothing and marks the reader as short for good: a parser reads
// on and asks once, at the end. Nothing is copied; the bytes must outlive the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace telltale::catcher::wire {

using Bytes = std::span<const std::uint8_t>;

[[nodiscard]] inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
[[nodiscard]] inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What a parser of a first flight says of the bytes so far.
enum class Shape {
  foreign,  // not this protocol
  partial,  // this protocol, and more is to come
  whole
};

class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u24() { return static_cast<std::uint32_t>(number(3)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }

  // Empty, and short, when fewer are left.
  Bytes take(std::size_t count) {
    if (count > left()) {
      short_ = true;
      position_ = bytes_.size();
      return {};
    }
    const auto taken = bytes_.subspan(position_, count);
    position_ += count;
    return taken;
  }

  // What is there, when fewer are left: the truncated end of a list is still worth reading.
  Bytes take_up_to(std::size_t count) {
    if (count <= left()) return take(count);
    const auto rest = bytes_.subspan(position_);
    take(count);
    return rest;
  }

  [[nodiscard]] bool good() const { return !short_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - position_; }
  [[nodiscard]] bool empty() const { return left() == 0; }
  [[nodiscard]] std::size_t position() const { return position_; }

 private:
  std::uint64_t number(std::size_t width) {
    std::uint64_t value = 0;
    for (const auto byte : take(width)) value = value << 8 | byte;
    return value;
  }

  Bytes bytes_;
  std::size_t position_ = 0;
  bool short_ = false;
};

}  // namespace telltale::catcher::wire
