#include "catcher/answers/http2_frame.hpp"

namespace telltale::catcher::http2 {

void append_frame(std::string& bytes, Type type, std::uint8_t flags, std::uint32_t stream,
                  std::string_view payload) {
  const auto length = payload.size();
  for (const std::size_t octet :
       {length >> 16, length >> 8, length, static_cast<std::size_t>(type), std::size_t{flags},
        std::size_t{stream} >> 24, std::size_t{stream} >> 16, std::size_t{stream} >> 8,
        std::size_t{stream}})
    bytes += static_cast<char>(octet & 0xff);
  bytes += payload;
}

}  // namespace telltale::catcher::http2
