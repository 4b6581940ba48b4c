// One frame of HTTP/2 (RFC 9113 section 4.1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace telltale::catcher::http2 {

enum class Type : std::uint8_t { data = 0, headers = 1, settings = 4 };
inline constexpr std::uint8_t kAcknowledge = 0x01;  // of settings
inline constexpr std::uint8_t kEndStream = 0x01;    // of data and headers
inline constexpr std::uint8_t kEndHeaders = 0x04;
inline constexpr std::size_t kMostPayload = 16'384;  // that every peer takes

void append_frame(std::string& bytes, Type type, std::uint8_t flags, std::uint32_t stream,
                  std::string_view payload);

}  // namespace telltale::catcher::http2
